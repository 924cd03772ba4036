"""Server side of each protocol: what a vendor says, and what it accepts."""
