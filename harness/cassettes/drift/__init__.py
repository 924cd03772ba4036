"""What has changed between two recordings of the same thing, and who knew of it: the SDK's types, and our dialect."""
