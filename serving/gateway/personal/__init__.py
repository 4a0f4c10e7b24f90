"""All that is kept of a person, as one archive."""
