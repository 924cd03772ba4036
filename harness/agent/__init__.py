"""The tool loop: native calls, a text format where they are refused, and conversations that fit their window."""
