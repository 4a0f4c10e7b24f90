"""Gateways before a simulated engine, side by side in one interleaved run."""
