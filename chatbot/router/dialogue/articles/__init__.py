"""Follow-ups to articles: about what was looked up, and about whom or what a prompt points at."""
