"""Frames as a client meets them: in an answer, sent back, and verified."""

from collections.abc import Mapping

import requests
from scripted.attributions import SIGNATURE, echo, frame_of
from scripted.gateway import call
from scripted.patience import PATIENCE_S
from scripted.stage import Stage

from chatbot.errors import EngineLost
from chatbot.testing import ScriptedEngine
from serving.settings import AttributionSettings

ASKED = {"role": "user", "content": "Ile kosztuje euro?"}
EURO = call("rate", '{"currency": "EUR"}')
DOT = call("draw", '{"description": "kropka"}')


def complete(url: str, *messages: dict[str, str], **more: object) -> requests.Response:
    body = {"model": "zwrotnica", "messages": messages, **more}
    return requests.post(f"{url}/v1/chat/completions", json=body, timeout=PATIENCE_S)


def answer(url: str, *messages: dict[str, str]) -> str:
    return str(complete(url, *messages).json()["choices"][0]["message"]["content"])


def verify(url: str, body: Mapping[str, object]) -> requests.Response:
    return requests.post(f"{url}/v1/attribution/verify", json=body, timeout=PATIENCE_S)


def test_the_source_is_the_last_content_of_a_stream(stage: Stage) -> None:
    client = stage.client(router=ScriptedEngine(script=EURO))
    stream = client.chat.completions.create(
        model="zwrotnica", messages=[{"role": "user", "content": "Ile?"}], stream=True
    )
    *_, source, finish = [chunk.choices[0] for chunk in stream]
    assert (source.delta.content or "").startswith("\n\n⟦źródło: NBP, „Tabela A”")
    assert (finish.finish_reason, finish.delta.content) == ("stop", None)


def test_citations_cover_the_answer_and_not_the_frame(stage: Stage) -> None:
    url = stage.gateway(router=ScriptedEngine(script=EURO)).url
    message = complete(url, ASKED).json()["choices"][0]["message"]
    (citation,) = message["annotations"]
    end = citation["url_citation"]["end_index"]
    assert message["content"][end:].startswith("\n\n⟦")


def test_the_setting_turns_frames_off(stage: Stage) -> None:
    off = AttributionSettings(frame=False)
    stage.settings = stage.settings.model_copy(update={"attribution": off})
    url = stage.gateway(router=ScriptedEngine(script=EURO)).url
    assert answer(url, ASKED) == "**EUR**: 4,26 zł"


def test_an_answer_without_sources_has_no_frame(stage: Stage) -> None:
    assert answer(stage.gateway().url, ASKED) == "Dzień dobry."


def test_a_turn_that_fails_ends_without_a_frame(stage: Stage) -> None:
    lost = ScriptedEngine(script=["Dzień ", EngineLost("away", engine="scripted")])
    reply = complete(stage.gateway(engine=lost).url, ASKED, stream=True)
    assert "⟦" not in reply.text


def test_an_answer_is_verified(stage: Stage) -> None:
    url = stage.gateway(router=ScriptedEngine(script=EURO)).url
    text = answer(url, ASKED)
    told = verify(url, {"text": text}).json()
    (frame,) = told["frames"]
    assert (frame["verdict"], frame["reason"]) == ("trusted", "signature_matches")
    assert frame["source"] == "NBP, „Tabela A”, https://nbp.example/a"
    assert f".{frame['message_id']}." in frame_of(text)
    assert told["counts"] == {"trusted": 1, "edited": 0, "not_ours": 0}
    assert told["truncated"] is False


def test_a_picture_signed_anew_leaves_trust(stage: Stage) -> None:
    url = stage.gateway(router=ScriptedEngine(script=EURO)).url
    text = answer(url, ASKED).replace("zł", "zł\n\n![a](/images/k3.1796000000.mfrgg2lt)", 1)
    assert verify(url, {"text": text}).json()["counts"]["trusted"] == 1


def test_a_conversation_is_verified_message_by_message(stage: Stage) -> None:
    url = stage.gateway(router=ScriptedEngine(script=EURO)).url
    text = answer(url, ASKED)
    edited = text.replace("4,26", "4,27")
    told = verify(
        url,
        {
            "messages": [
                ASKED,
                {"role": "assistant", "content": text},
                {"role": "user", "content": text},
                {"role": "assistant", "content": edited},
                {"role": "assistant", "content": text.replace("z1.", "z1.a")},
            ]
        },
    ).json()
    seen = [(frame["message"], frame["verdict"]) for frame in told["frames"]]
    assert seen == [(1, "trusted"), (3, "edited"), (4, "not_ours")]


def test_verification_wants_messages_or_text(stage: Stage) -> None:
    url = stage.gateway().url
    for body in ({}, {"text": "a", "messages": [ASKED]}, {"txt": "a"}, {"text": "x" * 10**6}):
        reply = verify(url, body)
        assert reply.status_code == 400
        assert reply.json()["error"]["param"] in {"messages", "text", "txt"}


def test_verification_is_documented(stage: Stage) -> None:
    page = requests.get(f"{stage.gateway().url}/docs", timeout=PATIENCE_S).text
    assert "/v1/attribution/verify" in page
    assert "not_ours" in page


def test_a_turn_tells_what_the_frames_before_it_are_worth(stage: Stage) -> None:
    url = stage.gateway(router=ScriptedEngine(script=EURO)).url
    text = answer(url, ASKED)
    before = [ASKED, {"role": "assistant", "content": text}]
    told = complete(url, *before, ASKED).json()["x_zwrotnica"]
    assert told["history_frames"] == {"trusted": 1, "edited": 0, "not_ours": 0}
    figures = requests.get(f"{url}/metrics", timeout=PATIENCE_S).text
    assert 'zwrotnica_frames_sent_back_total{verdict="trusted"} 1.0' in figures


def test_what_was_framed_does_not_reach_the_model(stage: Stage) -> None:
    gateway = stage.gateway(router=ScriptedEngine(script=EURO))
    text = answer(gateway.url, ASKED)
    echoing = stage.gateway(engine=ScriptedEngine(script=echo))
    said = answer(echoing.url, ASKED, {"role": "assistant", "content": text}, ASKED)
    assert "assistant: **EUR**: 4,26 zł\n---" in said
    assert not SIGNATURE.search(said)
    assert "źródło" not in said


def test_a_picture_and_what_announced_it_do_not_reach_the_model(stage: Stage) -> None:
    text = answer(stage.gateway(router=ScriptedEngine(script=DOT)).url, ASKED)
    assert text.startswith("Gotowe.\n\n![kropka](http")
    echoing = stage.gateway(engine=ScriptedEngine(script=echo))
    said = answer(echoing.url, ASKED, {"role": "assistant", "content": text}, ASKED)
    assert said == f"system: Pokazano obraz: kropka\n---\nuser: {ASKED['content']}\n\n" + str(
        ASKED["content"]
    )
