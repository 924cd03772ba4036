"""A real server on this machine: llama.cpp's own, with a model of random weights that is written in a moment.

What it says is noise; how it says it is what a service does: sockets, streams, tool calls under a grammar, token
counts, limits and errors.
"""
