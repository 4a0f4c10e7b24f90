from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st
from scripted.attributions import (
    ANSWER,
    SIGNATURE,
    forgeries,
    frame_of,
    harmless_edits,
    signed,
)
from scripted.tables import every_row

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.sanitizer import break_control_tokens, chat_view, map_frame_characters, router_view
from chatbot.types import ChatMessage, Image, Message, Role, Text

OWN_IMAGE = "![pies i kot](https://czat.example/images/k3.1796000000.mfrgg2lt)"


def message(role: Role, text: str) -> Message:
    return Message(role=role, parts=(Text(text=text),))


def view(*messages: Message, system: str | None = None, tokens: int = 4000) -> list[ChatMessage]:
    return list(chat_view(messages, system=system, context_tokens=tokens))


def test_router_sees_the_last_prompt_alone() -> None:
    seen = router_view((message("user", "Cześć"), message("user", "Ile to 2+2?")), ())

    assert seen.prompt == "Ile to 2+2?"


def test_router_sees_six_lines_of_state_at_most() -> None:
    seen = router_view((message("user", "a pojutrze?"),), (), state=[str(n) for n in range(9)])

    assert seen.state == ("0", "1", "2", "3", "4", "5")


def test_conversation_must_end_with_the_user() -> None:
    with pytest.raises(InvalidRequest, match="last message must be a user's"):
        router_view((message("user", "Cześć"), message("assistant", "Witam")), ())


def test_own_image_links_do_not_reach_the_model() -> None:
    seen = view(
        message("user", "Narysuj"), message("assistant", OWN_IMAGE), message("user", "Ładne")
    )

    assert [m.role for m in seen] == ["system", "user"]
    assert seen[0].text == "Pokazano obraz: pies i kot"
    assert seen[1].text == "Narysuj\n\nŁadne"


def test_what_announced_an_image_does_not_reach_the_model() -> None:
    answer = f"Wynik: 4\n\nGotowe, oto obraz.\n\n{OWN_IMAGE}\n\n"
    seen = view(message("user", "Narysuj"), message("assistant", answer), message("user", "Ładne"))

    assert seen[2] == ChatMessage(role="assistant", text="Wynik: 4")


@every_row(
    ("answer", "left"),
    [
        (f"Gotowe, oto obraz.\r\n\r\n{OWN_IMAGE}", None),
        (f"{OWN_IMAGE}\n\nGotowe!\n\n{OWN_IMAGE}\n\nDrugi jest nocą.", "Drugi jest nocą."),
        (f"Wynik: 4\n\n{OWN_IMAGE}", "Wynik: 4"),
        (f"Raz.\nDwa.\n\n{OWN_IMAGE}", "Raz.\nDwa."),
        (f"Zobacz {OWN_IMAGE[1:]}.", "Zobacz pies i kot."),
        (f"Adres: <{OWN_IMAGE[14:-1]}>", "Adres:"),
    ],
)
def test_an_answer_keeps_what_it_said_beside_its_images(answer: str, left: str | None) -> None:
    seen = view(message("user", "Narysuj"), message("assistant", answer), message("user", "Ładne"))

    assert [m.text for m in seen if m.role == "assistant"] == ([left] if left else [])


def test_neither_frame_nor_signature_reaches_the_model() -> None:
    for name, text in (*forgeries(), *harmless_edits(signed())):
        seen = view(message("user", "a"), message("assistant", text), message("user", "b"))
        shown = "\n".join(m.text for m in seen)

        assert not {"⟦", "⟧"} & set(shown), name
        assert not SIGNATURE.search(shown), name


def test_a_whole_frame_is_left_out_and_a_half_one_mapped() -> None:
    half = "⟦źródło: Wikipedia"
    seen = view(message("assistant", signed()), message("user", half))

    assert [m.text for m in seen] == [ANSWER, "[[źródło: Wikipedia"]


def test_frames_of_a_user_are_mapped_only() -> None:
    text = frame_of(signed())

    assert view(message("user", text))[0].text == f"[[{text[1:-1]}]]"


def test_image_parts_are_named_in_the_system_prompt() -> None:
    image = Image(
        image_id="k3",
        url="/images/x",
        expires_at=datetime(2026, 1, 1, tzinfo=UTC),
        alt="zamek nocą",
        width=1,
        height=1,
    )
    shown = Message(role="assistant", parts=(Text(text="Proszę."), image))

    seen = view(message("user", "Narysuj"), shown, message("user", "Dzięki"), system="Bądź miły.")

    assert seen[0].text == "Bądź miły.\n\nPokazano obraz: zamek nocą"


def test_what_announced_an_image_part_does_not_reach_the_model() -> None:
    shown = Image(
        image_id="k3",
        url="/images/k3.1796000000.mfrgg2lt",
        expires_at=datetime(2026, 11, 21, tzinfo=UTC),
        alt="pies i kot",
        width=1024,
        height=1024,
    )
    parts = (Text(text="Najpierw wynik: 4.\n\nGotowe, oto obraz."), shown, Text(text="\n\nI tyle."))
    _, *seen = view(
        message("user", "Narysuj"),
        Message(role="assistant", parts=parts),
        message("user", "Dziękuję"),
    )
    assert seen[1].text == "Najpierw wynik: 4.\n\n\n\nI tyle."


def test_image_links_of_a_user_stay() -> None:
    assert view(message("user", OWN_IMAGE))[0].text == OWN_IMAGE


def test_conversation_brings_its_own_system_prompt() -> None:
    seen = view(message("system", "Mów krótko."), message("user", "Cześć"), system="Inny")

    assert seen[0] == ChatMessage(role="system", text="Mów krótko.")


def test_control_tokens_and_frames_are_broken_in_every_role() -> None:
    hostile = "a<|eot_id|>⟦x⟧[INST]"
    seen = view(message("system", hostile), message("assistant", hostile), message("user", hostile))

    assert {m.text for m in seen} == {"a< |eot_id|>[[x]][ INST]"}


def test_window_drops_whole_exchanges_from_the_start() -> None:
    exchanges = [
        message(role, f"{n} " + "x" * 300) for n in range(9) for role in ("user", "assistant")
    ]

    seen = view(*exchanges, message("user", "Koniec"), tokens=700)

    assert [m.text.split()[0] for m in seen] == ["6", "6", "7", "7", "8", "8", "Koniec"][
        -len(seen) :
    ]
    assert seen[0].role == "user"


def test_message_that_cannot_fit_is_refused() -> None:
    with pytest.raises(InvalidRequest) as caught:
        view(message("user", "x" * 10_000), tokens=100)

    assert caught.value.code is ErrorCode.CONTEXT_LENGTH_EXCEEDED


@every_row(
    "token",
    [
        *("<|eot_id|>", "<|python_tag|>", "<|im_start|>", "[INST]", "[/INST]", "<s>", "</s>"),
        *("<<SYS>>", "<tool_call>", "</tool_call>", "[TOOL_CALLS]", "<think>", "<｜User｜>"),
        *("<start_of_turn>", "<0x0A>", "<pad>", "<SPECIAL_12>"),
    ],
)
def test_typed_control_token_is_broken(token: str) -> None:
    assert token not in break_control_tokens(f"x{token}{token}y")


@given(st.text(alphabet="<|>[]/eot_idINSs｜ ", max_size=40))
def test_breaking_twice_changes_nothing_more(text: str) -> None:
    once = break_control_tokens(text)

    assert break_control_tokens(once) == once


@given(st.text())
def test_mapped_text_has_no_frame_character(text: str) -> None:
    assert not {"⟦", "⟧"} & set(map_frame_characters(text + "⟦" + text + "⟧"))
