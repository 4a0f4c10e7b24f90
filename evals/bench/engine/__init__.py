"""Measures any OpenAI-compatible engine: speed, throughput, latency and experience."""
