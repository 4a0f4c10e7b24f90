"""Follow-ups to forecasts: other places and days, and the places that a prompt means."""
