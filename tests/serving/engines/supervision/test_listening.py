import socket

import pytest
from scripted.ports import free_port

from serving.engines.supervision.listening import AddressUnusable, check_address


def test_a_free_port_is_fine() -> None:
    port = free_port()
    check_address("router", ("127.0.0.1", port))
    check_address("router", ("127.0.0.1", port))


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])  # noqa: S104 (nothing is served)
def test_a_port_that_somebody_listens_on_is_told(host: str) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(AddressUnusable, match=rf"'router' cannot listen on .*:{port}: another"):
            check_address("router", (host, port))


def test_an_address_of_another_machine_is_told() -> None:
    with pytest.raises(AddressUnusable, match=r"'launch\.host'"):
        check_address("router", ("192.0.2.1", 8001))
