"""A new adapter in a project of the user's own."""
