import sys
import threading

import pytest
from scripted.patience import PATIENCE_S
from scripted.token_model import ScriptedTokenModel

from chatbot.errors import ZwrotnicaError
from serving.reference.__main__ import main, run
from serving.reference.options import ServerOptions


def start(monkeypatch: pytest.MonkeyPatch, *flags: str) -> int:
    monkeypatch.setattr(sys, "argv", ["reference", *flags])
    with pytest.raises(SystemExit) as end:
        main()
    assert isinstance(end.value.code, int)
    return end.value.code


def test_without_the_extra_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)

    assert start(monkeypatch, "--model", "folder", "--port", "0") == 1
    assert "install zwrotnica[transformers]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        ((), "Missing option '--model'"),
        (("--model", "m", "--host", "0.0.0.0"), "give --api-key-variable"),  # noqa: S104 - refused
        (("--model", "m", "--api-key-variable", "NOBODYS_KEY"), "has no 'NOBODYS_KEY'"),
        (("--model", "m", "--batch", "0"), "--batch"),
        (("--model", "m", "--dtype", "int4"), "--dtype"),
    ],
)
def test_wrong_flags_are_refused_by_name(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    flags: tuple[str, ...],
    complaint: str,
) -> None:
    assert start(monkeypatch, *flags) == 2
    assert complaint in capsys.readouterr().err


def test_a_server_whose_model_cannot_be_loaded_ends_and_says_why() -> None:
    model = ScriptedTokenModel(load_error=ZwrotnicaError("no weights there"))
    ends: list[str] = []

    def serve() -> None:
        try:
            run(ServerOptions(served_name="tiny", port=0), model)
        except ZwrotnicaError as error:
            ends.append(str(error))

    thread = threading.Thread(target=serve)
    thread.start()
    thread.join(PATIENCE_S)

    assert ends == ["no weights there"]
