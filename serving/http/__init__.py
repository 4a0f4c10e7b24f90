"""What every HTTP process of ours shares: errors, bodies, event streams, request ids, draining."""

__all__: list[str] = []
