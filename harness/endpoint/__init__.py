"""How bytes reach the real SDK."""
