"""Recorded exchanges of scenarios: written while they stream, scrubbed, replayed, compared, and imported."""
