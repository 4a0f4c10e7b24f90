"""Pages beside the chat that need no script: usage, keys, administration."""
