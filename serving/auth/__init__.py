"""Accounts, groups and keys: who a request comes from, and what that allows."""
