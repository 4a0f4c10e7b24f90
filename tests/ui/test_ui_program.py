"""`python -m ui` before it serves: what cannot be meant, and a port that is taken."""

import socket

import pytest
from click.testing import CliRunner

from ui.__main__ import ui

GATEWAY = ("--gateway", "http://127.0.0.1:1")


@pytest.mark.parametrize("address", ["", "nic", "http://[::1", "http://", "ftp://x", "\udcff"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    refused = CliRunner().invoke(ui, ("--gateway", address))
    assert refused.exit_code == 2
    assert "is no address such as http://127.0.0.1:7860" in refused.stderr


@pytest.mark.parametrize("given", [("--port", "70000"), ("--port", "-1"), ("--chats", "0")])
def test_a_number_out_of_range_is_refused(given: tuple[str, str]) -> None:
    refused = CliRunner().invoke(ui, (*GATEWAY, *given))
    assert refused.exit_code == 2
    assert "is not in the range" in refused.stderr


def test_a_port_that_is_taken_is_told_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        refused = CliRunner().invoke(ui, (*GATEWAY, "--port", port))
    assert refused.exit_code == 1
    assert refused.stderr.startswith(f"Error: cannot listen on port {port} of '127.0.0.1': ")
    assert refused.stderr.endswith("; choose another by --port\n")


@pytest.mark.parametrize("host", ["\udcff", "a" * 64])
def test_a_host_that_has_no_form_in_dns_is_refused(host: str) -> None:
    refused = CliRunner().invoke(ui, (*GATEWAY, "--host", host))
    assert refused.exit_code == 1
    assert "cannot be the name of a host" in refused.stderr
