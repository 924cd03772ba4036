"""What is judged: one file a rule family."""
