"""The processes: settings, engines, gateway and command line around the domain."""

__all__: list[str] = []
