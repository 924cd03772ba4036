"""What the adapters on top of the ``openai`` SDK share: its arguments, its streams, its exceptions."""
