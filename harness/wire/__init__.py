"""Wire framings, sans-IO and both ways: server-sent events, AWS event streams, NDJSON; cuts and faults."""
