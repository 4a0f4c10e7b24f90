"""The web chat as a person meets it: everything by its role and accessible name."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NotRequired, TypedDict, cast

import requests
from parts.chromium_page import WAIT_MS, Window
from playwright.sync_api import Locator, Page, expect

from ui.texts import POLISH, Parameter, Texts

CONVERSATION = re.compile(r"[?&]c=([^&#]+)")
STEP_MS = 50


FOCUSED = """() => {
  const node = document.activeElement;
  if (!node || node === document.body) return ['', true];
  const labels = [...(node.labels || [])].map(label => label.textContent).join(' ');
  const name = node.getAttribute('aria-label') || labels || node.textContent || node.title;
  const around = [node, node.closest('label')];
  for (let at = node, n = 0; at && n < 6; at = at.parentElement, n += 1) around.push(at);
  const look = () => around.map(one => one && getComputedStyle(one)).map(style => style
    && [style.outline, style.boxShadow, style.borderColor, style.backgroundColor].join()).join();
  const focused = look();
  node.blur();
  const isMarked = look() !== focused;
  node.focus();
  return [name.trim().replace(/\\s+/g, ' '), isMarked];
}"""
"""The name of what has the focus, and whether it looks different from what has not."""
MOTIONS = """() => document.getAnimations().filter(one => one.playState === 'running'
  && one.effect.getComputedTiming().activeDuration > 100).length"""


class StoredMessage(TypedDict):
    """A message as the Chat API gives it, as far as tests read it."""

    id: str
    parent: str | None
    role: str
    state: str
    running: bool
    parts: list[dict[str, object]]
    force: str | None
    rating: str | None
    comment: str | None


class StoredConversation(TypedDict):
    """A conversation as the Chat API gives it, as far as tests read it."""

    id: str
    title: str
    parameters: dict[str, object]
    current: str | None
    busy: bool
    messages: NotRequired[list[StoredMessage]]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatPage:
    """An open page; ``words`` are those of its language."""

    window: Window
    url: str
    words: Texts = POLISH

    @property
    def page(self) -> Page:
        return self.window.page

    def open(self, path: str | None = None) -> "ChatPage":
        """Load the page and wait until one can write."""
        self.page.goto(self.words.path if path is None else path)
        return self.wait_usable()

    def reload(self) -> "ChatPage":
        self.page.reload()
        return self.wait_usable()

    def wait_usable(self) -> "ChatPage":
        expect(self.box).to_be_editable(timeout=3 * WAIT_MS)
        return self

    # What is there

    @property
    def box(self) -> Locator:
        return self.page.get_by_role("textbox", name=self.words.message, exact=True)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    @property
    def send_button(self) -> Locator:
        return self.button(self.words.send)

    @property
    def stop_button(self) -> Locator:
        return self.button(self.words.stop)

    @property
    def status(self) -> Locator:
        return self.page.locator("#status[role=status][aria-live=polite]")

    @property
    def answers(self) -> Locator:
        return self.page.locator(".bot-row:not(:has(.zw-suggestions))")

    @property
    def answer(self) -> Locator:
        """The newest answer with all that stands around it."""
        return self.answers.last

    @property
    def told(self) -> Locator:
        """The words of the newest answer alone."""
        return self.answer.locator("[data-testid=bot]:not(:has([class^=zw-]))")

    @property
    def questions(self) -> Locator:
        return self.page.locator(".user-row")

    @property
    def search(self) -> Locator:
        return self.page.get_by_role("searchbox", name=self.words.search, exact=True)

    @property
    def listed(self) -> Locator:
        """The conversations in the list."""
        return self.page.locator("nav li[data-id]")

    def card(self, title: str) -> Locator:
        """The newest card of a tool's call."""
        return self.page.locator(".zw-card").filter(has_text=re.compile(rf"^\s*{title}")).last

    @property
    def sources(self) -> Locator:
        """The badges under the newest answer."""
        return self.page.locator(".zw-sources").last

    def source(self, title: str) -> Locator:
        return self.sources.get_by_role("link", name=title)

    @property
    def suggestions(self) -> Locator:
        examples = self.page.locator("#suggestions, .zw-suggestions").filter(visible=True)
        return examples.get_by_role("button")

    # What one does

    def say(self, text: str) -> "ChatPage":
        """Send ``text`` and do not wait for the answer."""
        self.box.fill(text)
        self.send_button.click()
        return self

    def ask(self, text: str) -> Locator:
        """Send ``text`` and wait for the whole answer."""
        before = self.count_messages()
        self.say(text)
        self.wait_answered(before + 2)
        expect(self.box).to_have_value("")
        return self.answer

    def start_new(self) -> "ChatPage":
        """Leave the conversation for a new one."""
        self.button(self.words.new_chat).filter(visible=True).first.click()
        expect(self.questions).to_have_count(0)
        return self

    def edit(self, text: str) -> None:
        """Change the newest message to ``text`` and wait for its answer."""
        before = self.count_messages()
        self.questions.last.hover()
        self.button(self.words.edit).last.click()
        self.page.get_by_role("textbox", name=self.words.edit_message).fill(text)
        self.button(self.words.send_again).click()
        self.wait_answered(before + 2)

    def choose_tool(self, title: str) -> None:
        """Send the newest question to another tool."""
        self.page.get_by_text(self.words.choose_other, exact=True).last.click()
        self.button(self.words.answer_with.format(title=title)).last.click()

    def rename(self, title: str) -> None:
        """Rename the newest conversation."""
        row = self.listed.first
        row.hover()
        row.get_by_role("button", name=self.words.rename, exact=True).click()
        field = self.page.get_by_role("textbox", name=self.words.rename_label)
        field.fill(title)
        field.press("Enter")

    def delete(self) -> None:
        """Delete the newest conversation."""
        row = self.listed.first
        row.hover()
        row.get_by_role("button", name=self.words.delete, exact=True).click()
        self.button(self.words.delete_confirm).click()

    def export(self, label: str) -> bytes:
        """Download the conversation in a format."""
        self.button(self.words.export).click()
        with self.page.expect_download() as started:
            self.page.get_by_role("link", name=label, exact=True).filter(visible=True).click()
        return started.value.path().read_bytes()

    def open_settings(self) -> Locator:
        """Open the conversation's settings."""
        self.button(self.words.settings).click()
        dialog = self.page.get_by_role("dialog", name=self.words.settings)
        expect(dialog).to_be_visible()
        return dialog

    def close_settings(self) -> None:
        dialog = self.page.get_by_role("dialog", name=self.words.settings)
        dialog.get_by_role("button", name=self.words.close, exact=True).click()
        expect(dialog).to_be_hidden()

    def field(self, label: str) -> Locator:
        """A field of the settings that is written into."""
        return self.page.get_by_role("textbox", name=label, exact=True)

    def set_parameters(self, **values: str) -> None:
        """Write into the settings' fields and wait until they are kept."""
        self.open_settings()
        for name, value in values.items():
            label = cast("Parameter", getattr(self.words, name)).label
            self.field(label).fill(value)
        self.close_settings()
        self.wait_for(lambda: self.has_parameters(*values))

    def has_parameters(self, *names: str) -> bool:
        """Whether the gateway keeps a value for each."""
        kept = self.stored()["parameters"]
        return all(kept.get(name) is not None for name in names)

    def turn_tools_off(self) -> None:
        """Forbid the conversation every tool."""
        dialog = self.open_settings()
        for tick in dialog.get_by_role("checkbox").all():
            tick.uncheck()
        self.close_settings()
        self.wait_for(lambda: self.stored()["parameters"].get("tools") == [])

    def choose_theme(self, name: str) -> None:
        group = self.page.get_by_role("radiogroup", name=self.words.theme)
        group.get_by_role("radio", name=name, exact=True).check(force=True)

    def tab_through(self, most: int = 120) -> dict[str, bool]:
        """The names of what Tab reaches, in order, and whether one sees where it is."""
        self.page.evaluate("document.activeElement.blur()")
        reached: dict[str, bool] = {}
        for _ in range(most):
            self.page.keyboard.press("Tab")
            name, is_marked = cast("tuple[str, bool]", self.page.evaluate(FOCUSED))
            if name:
                reached[name] = is_marked and reached.get(name, True)
        return reached

    def count_motions(self) -> int:
        """Animations that go on and on, or take longer than a blink."""
        return cast("int", self.page.evaluate(MOTIONS))

    def wait_answered(self, messages: int) -> None:
        """Wait until there are so many stored messages, no answer is made, and the page says so."""
        self.wait_for(lambda: self.count_messages() >= messages and not self.is_busy())
        expect(self.stop_button).to_be_hidden()
        expect(self.status).to_have_text(
            re.compile(f"{self.words.status_ready}|{self.words.status_failed}")
        )

    def wait_for(self, is_so: Callable[[], bool], limit_ms: float = WAIT_MS) -> None:
        """Wait until ``is_so()``, while the page goes on.

        Raises:
            TimeoutError: it did not come true in ``limit_ms``.
        """
        ends = time.monotonic() + limit_ms / 1000
        while not is_so():
            if time.monotonic() > ends:
                raise TimeoutError(self.status.all_inner_texts())
            self.page.wait_for_timeout(STEP_MS)

    def clipboard(self) -> str:
        return cast("str", self.page.evaluate("navigator.clipboard.readText()"))

    # What the gateway knows

    @property
    def conversation_id(self) -> str | None:
        found = CONVERSATION.search(self.page.url)
        return found and found[1]

    def stored(self) -> StoredConversation:
        """The conversation as the gateway has it."""
        address = f"{self.url}/api/conversations/{self.conversation_id}"
        reply = requests.get(address, timeout=30)
        reply.raise_for_status()
        return cast("StoredConversation", reply.json())

    def count_messages(self) -> int:
        return len(self.stored().get("messages", [])) if self.conversation_id else 0

    def is_busy(self) -> bool:
        return self.stored()["busy"]


def visible_text(locator: Locator) -> str:
    """What one reads there, without what only formulas' readers get."""
    text: str = locator.evaluate(
        "node => { const copy = node.cloneNode(true);"
        " copy.querySelectorAll('.katex-mathml, [hidden]').forEach(one => one.remove());"
        " return copy.textContent }"
    )
    return text
