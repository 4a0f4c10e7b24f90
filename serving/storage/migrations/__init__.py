"""Alembic's folder: `env.py` runs the revisions in `versions/` on a connection handed in."""
