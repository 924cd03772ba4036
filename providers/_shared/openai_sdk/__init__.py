"""What the adapters on top of the ``openai`` SDK share: its streams, its exceptions."""
