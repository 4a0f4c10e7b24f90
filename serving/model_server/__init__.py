"""What every server of ours with one model shares: its queue, routes, application and command."""

__all__: list[str] = []
