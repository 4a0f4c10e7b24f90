"""The Chat API: stored conversations, and answers that are made whether or not anybody reads."""
