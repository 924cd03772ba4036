"""Client side of the Chat Completions family: plain dictionaries in, plain dictionaries out, no SDK.

Requests are made by :mod:`.request`, replies are read by :mod:`.reply` (streamed chunks and whole bodies alike), error
objects by :mod:`.errors`, and answers in JSON are asked for and read by :mod:`.structured`.
"""
