"""Whether an engine answers, and how busy its server says it is."""
