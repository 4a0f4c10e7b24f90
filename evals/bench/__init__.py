"""Benchmarks of verdict and detector, and of the gateway against a simulated engine in C."""

__all__: list[str] = []
