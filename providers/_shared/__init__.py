"""Client-side code that several adapters share."""
