"""The recorded corpus through the real SDKs and our adapters.

``python -m tests.replay`` prints the numbers.
"""
