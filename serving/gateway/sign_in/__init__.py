"""The pages on which people sign in and out, and set their passwords."""
