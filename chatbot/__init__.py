"""The domain: routing, tools, sanitizing and Polish; no web framework, database or environment."""

__all__: list[str] = []
