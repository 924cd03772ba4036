"""Commands of ``conformance``, one family a module; each adds its own parser."""
