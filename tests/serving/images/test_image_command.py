import sys
import threading

import pytest
from scripted.painter import ScriptedPainter, image_settings
from scripted.tables import every_row

from chatbot.errors import ZwrotnicaError
from serving.extras import ExtraMissing
from serving.images.__main__ import main, open_painter, run
from serving.settings import ImageServerSettings, SettingsError, load_settings


def test_without_the_extra_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr(sys, "argv", ["images", "serve", "--port", "0"])

    with pytest.raises(SystemExit) as end:
        main()

    assert end.value.code == 1
    assert "install zwrotnica[flux]" in capsys.readouterr().err


def test_the_painter_is_loaded_by_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)

    with pytest.raises(ExtraMissing, match="torch"):
        open_painter(ImageServerSettings())


def test_a_server_whose_model_cannot_be_loaded_ends_and_says_why() -> None:
    painter = ScriptedPainter(load_error=ZwrotnicaError("no weights there"))
    ends: list[BaseException] = []

    def serve() -> None:
        try:
            run(image_settings(), painter)
        except ZwrotnicaError as error:
            ends.append(error)

    thread = threading.Thread(target=serve)
    thread.start()
    thread.join(10)

    assert [str(error) for error in ends] == ["no weights there"]


@every_row(
    ("variables", "complaint"),
    [
        ({"HOST": "0.0.0.0"}, "set 'api_key'"),  # noqa: S104 - what must be refused
        ({"API_KEY": "short"}, "fewer than 16"),
        ({"DEFAULT_SIZE": "100x100"}, "multiples of 16"),
        ({"DEFAULT_SIZE": "2048x2048"}, "max_pixels"),
        ({"PICTURES": "5", "QUEUE": "4"}, "fit into the 'queue'"),
        ({"OFFLOAD": "disk"}, "offload"),
        ({"QUEU": "4"}, "images.server.queue"),
    ],
)
def test_settings_that_cannot_be_are_refused(variables: dict[str, str], complaint: str) -> None:
    environ = {f"ZWROTNICA_IMAGES__SERVER__{name}": value for name, value in variables.items()}

    with pytest.raises(SettingsError, match=complaint):
        load_settings(environ=environ)


def test_with_a_key_others_may_reach_the_server() -> None:
    settings = ImageServerSettings.model_validate({"host": "0.0.0.0", "api_key": "x" * 16})  # noqa: S104 - with a key

    assert settings.host == "0.0.0.0"  # noqa: S104 - with a key
