"""A dialect as a server on loopback, for clients in any language."""
