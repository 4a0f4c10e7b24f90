"""Signing in on the web: passwords, sessions, links that set a password."""
