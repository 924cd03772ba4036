"""What is tried: a catalogue of named scenarios and generated ones."""
