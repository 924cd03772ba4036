"""Reference adapters, one folder a provider."""
