"""Offline function-detection evals, with the benchmarks of engines and gateway."""

__all__: list[str] = []
