"""Conversations as files: exported as XLSX, CSV, JSON and Markdown, and imported from JSON."""

__all__: list[str] = []
