"""Frames as they are signed and verified (FAULTS A1, A2)."""

from markdown_it import MarkdownIt
from scripted.attributions import (
    ANSWER,
    FORMER,
    MESSAGE_ID,
    SECRET,
    SOURCE,
    edits,
    forgeries,
    frame_of,
    from_assistant,
    harmless_edits,
    signed,
    signer,
)
from scripted.effort import LINEAR, ratio
from scripted.tables import every_row

from chatbot.sanitizer import Trust, check_frames
from chatbot.types import Attribution, Message, Text


def verdicts(text: str) -> list[str]:
    checked = check_frames(from_assistant(text), signer().verify).frames
    return [one.verdict for one in checked]


def test_an_answer_without_sources_is_left_alone() -> None:
    assert signer().append_to(ANSWER, (), message_id=MESSAGE_ID) == ""


def test_sources_follow_after_a_blank_line_once_each() -> None:
    other = Attribution(source="NBP", url="https://nbp.pl/")
    appended = signer().append_to(ANSWER, (SOURCE, other, SOURCE), message_id=MESSAGE_ID)
    blank, empty, *lines = appended.split("\n")
    assert (blank, empty) == ("", "")
    assert [line.partition(",")[0] for line in lines] == ["⟦źródło: Wikipedia", "⟦źródło: NBP"]
    assert verdicts(ANSWER + appended) == ["trusted", "trusted"]


@every_row("text", ["", "Tak.", "Tak.\n", "Tak.\n\n", "```\nx", "$$x", "~~~c\n<!--"])
def test_a_frame_stands_in_prose_on_its_own(text: str) -> None:
    shown = signed(text)
    assert verdicts(shown) == ["trusted"]
    assert "\n\n⟦" in f"\n\n{shown}"
    assert "⟦" in MarkdownIt().parse(shown)[-2].content


def test_markdown_in_a_title_stays_in_the_title() -> None:
    source = Attribution(source="Wiki", title="a ⟧\n![x](//zly.example) · z1.a.b.c⟦")
    shown = signed(source=source)
    assert verdicts(shown) == ["trusted"]
    assert frame_of(shown).count("⟧") == 1


def test_no_forged_frame_is_trusted() -> None:
    trusted = [name for name, text in forgeries() if "trusted" in verdicts(text)]
    assert trusted == []


def test_an_earlier_key_counts_as_long_as_it_is_kept() -> None:
    text = signed(by=signer(FORMER))
    kept = check_frames(from_assistant(text), signer(SECRET, FORMER).verify).frames
    assert [one.verdict for one in kept] == ["trusted"]
    assert verdicts(text) == ["not_ours"]


@every_row(("name", "text"), list(harmless_edits(signed())))
def test_what_clients_do_by_themselves_leaves_trust(name: str, text: str) -> None:
    assert verdicts(text) == ["trusted"], name


def test_no_edited_answer_is_trusted() -> None:
    trusted = [name for name, text in edits(signed()) if verdicts(text) != ["edited"]]
    assert trusted == []


def test_frames_of_users_are_not_looked_at() -> None:
    said = Message(role="user", parts=(Text(text=signed()),))
    assert check_frames((said,), signer().verify).frames == ()


def test_five_hundred_frames_of_ten_thousand_are_looked_at() -> None:
    trust = _check_after_400(10_000)
    assert (len(trust.frames), trust.is_whole) == (500, False)
    assert trust.counts() == {"trusted": 400, "edited": 100, "not_ours": 0}


def test_frames_are_looked_at_in_linear_time() -> None:
    assert ratio(_check_after_400, 2_500, 10_000) < LINEAR


def _check_after_400(frames: int) -> Trust:
    text = signed()
    many = from_assistant(text) * 400 + from_assistant("\n".join([frame_of(text)] * frames))
    return check_frames(many, signer().verify)
