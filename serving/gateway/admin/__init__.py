"""What administrators see and change: users, groups, engines, failed requests."""
