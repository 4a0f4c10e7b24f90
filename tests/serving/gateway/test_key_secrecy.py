"""No secret of a key is in a reply, a log or a figure, whatever is asked with it."""

import logging

import pytest
import requests
from scripted.keyed import bearing, make_keys
from scripted.patience import PATIENCE_S
from scripted.stage import Stage

from serving.auth.key_text import KeyText
from serving.auth.scopes import ALL
from serving.gateway.route_table import OPENAPI, ROUTES

BODIES = (
    None,
    {"model": "zwrotnica", "messages": [{"role": "user", "content": "Cześć"}]},
    {"x": 1},
)


@pytest.fixture
def stage_with_key(stage: Stage) -> tuple[Stage, str]:
    return stage, make_keys(stage.settings, ala=ALL)["ala"]


def secret_of(whole: str) -> str:
    text = KeyText.read(whole)
    assert text is not None
    return text.secret


def test_no_reply_and_no_log_line_holds_a_secret(
    stage_with_key: tuple[Stage, str], caplog: pytest.LogCaptureFixture
) -> None:
    stage, key = stage_with_key
    caplog.set_level(logging.DEBUG)
    gateway = stage.gateway()
    unknown = KeyText.make().whole
    ways: tuple[dict[str, str], ...] = (
        bearing(key),
        {"x-api-key": key},
        bearing(unknown),
        {**bearing(key), "x-api-key": unknown},
        {"authorization": f"Basic {key}"},
    )
    told: list[str] = []
    for route in ROUTES:
        path = route.path.replace("{", "").replace("}", "")
        for headers in ways:
            for body in BODIES if route.body else (None,):
                reply = requests.request(
                    route.method, gateway.url + path, json=body, headers=headers, timeout=PATIENCE_S
                )
                told.append(f"{reply.headers}{reply.text}")
    told += [requests.get(gateway.url + OPENAPI, timeout=PATIENCE_S).text, caplog.text]
    told += [repr((record.__dict__, record.args)) for record in caplog.records]
    assert len(caplog.records) > len(ROUTES)
    secrets = [secret_of(key), secret_of(unknown)]
    assert not [text for text in told if any(secret in text for secret in secrets)]


def test_a_bug_behind_a_key_is_logged_without_it(
    stage_with_key: tuple[Stage, str], caplog: pytest.LogCaptureFixture
) -> None:
    stage, key = stage_with_key
    caplog.set_level(logging.DEBUG)
    gateway = stage.gateway(router=object())
    body = {"messages": [{"role": "user", "content": "Cześć"}]}
    reply = requests.post(
        f"{gateway.url}/api/route", json=body, headers=bearing(key), timeout=PATIENCE_S
    )
    assert reply.status_code == 500
    assert secret_of(key) not in reply.text + caplog.text
