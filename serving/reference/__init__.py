"""The reference server: Transformers in static batches, the baseline that engines are held to."""

__all__: list[str] = []
