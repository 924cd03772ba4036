"""Adapters of other frameworks, unmodified: one package a framework, whose ``PROVIDERS`` are its records by name.

A record imports no framework: it is imported when its model is built.
"""
