"""Tests of repro files."""
