"""Consumers of run events."""
