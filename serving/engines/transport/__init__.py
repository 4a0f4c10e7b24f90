"""HTTP to model servers that costs microseconds a token; see this room's README."""
