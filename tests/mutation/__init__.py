"""Mutation bench: how many faults, put into the adapters on purpose, the conformance suite finds."""
