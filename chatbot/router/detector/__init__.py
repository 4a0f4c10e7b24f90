"""A local detector."""
