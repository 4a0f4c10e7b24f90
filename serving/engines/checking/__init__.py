"""What is wrong with a configured engine, and what to change."""
