"""Bridges to other frameworks, so that their faults are not taken for those of adapters."""
