"""What an adapter must do: types, state machine, rules. No IO, no SDK, no pytest."""

#: what recordings say that they were made for; raised when what an adapter owes changes
VERSION = "1"
