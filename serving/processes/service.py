"""Tells the service manager that runs this process how far it is."""

import logging
import socket

_log = logging.getLogger(__name__)


def notify_service(address: str | None, state: str) -> None:
    """Send ``state`` (as ``READY=1``) to the manager's socket; without ``address`` there is none.

    The protocol is that of systemd, sd_notify(3); a manager that cannot be told is logged.
    """
    if address is None:
        return
    place = f"\0{address[1:]}" if address.startswith("@") else address
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.settimeout(0)
        try:
            manager.sendto(state.encode(), place)
        except OSError as error:
            _log.warning("service_not_notified", extra={"state": state, "error": error.strerror})
