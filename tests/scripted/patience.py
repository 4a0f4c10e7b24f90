"""How long tests wait: a machine ten times slower is waited for, what never comes fails."""

PATIENCE_S = 30.0
"""Seconds to wait for what takes milliseconds where nobody else computes."""
NEVER_S = 600.0
"""Seconds that a script waits where waiting them out would be the fault; no test lasts so long."""
