"""Failures as files: one exchange with its exact bytes, written where it failed, read and run again anywhere."""
