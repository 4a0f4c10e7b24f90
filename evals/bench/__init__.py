"""Benchmarks of the verdict and of the gateway, against a simulated engine written in C."""

__all__: list[str] = []
