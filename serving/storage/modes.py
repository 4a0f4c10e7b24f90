"""Execution options of connections: what their transactions are for."""

from typing import Final

WRITES: Final = "writes"
"""Of a connection whose transactions write, one after the other."""
LEDGER: Final = "ledger"
"""Of a writing connection of the ledger, which no other writing has to wait for."""
BARE: Final = "bare"
"""Of a connection that begins no transaction by itself, whatever else it is for."""
