"""What an adapter must do: types, state machine, rules. No IO, no SDK, no pytest."""
