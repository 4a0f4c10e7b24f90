"""Takes the pictures of the page that the documentation shows: `make screenshots`."""

import io
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from parts.chat_page import ChatPage
from parts.chromium_page import DESKTOP, PHONE, Chromium, Kind, open_chromium
from parts.desk_scenes import PICTURED, open_institution, sign_in
from parts.page_product import PageProduct, open_page_product
from parts.page_scenes import PERSON, PICTURE, RAIN
from parts.wiki_process import is_built, serve_wiki
from PIL import Image
from playwright.sync_api import Page, ViewportSize, expect
from typing_extensions import Unpack

from ui.texts import ENGLISH, POLISH, Texts

COLOURS = 256
SCALE = 1.5
WEEKEND = "Ułóż plan weekendu w Gdańsku dla dwóch osób"
PLAN = """\
Oto spokojny plan na dwa dni, bez biegania od zabytku do zabytku:

| | Sobota | Niedziela |
|---|---|---|
| Rano | spacer Długim Targiem | plaża w Brzeźnie |
| Po południu | Muzeum II Wojny Światowej | park Oliwski i katedra |
| Wieczorem | kolacja nad Motławą | pociąg do domu |

- **Bilety** do muzeum warto kupić dzień wcześniej.
- Do Brzeźna i do Oliwy dojeżdża z centrum **tramwaj**.
"""
INTEGRAL = "Oblicz całkę z x^2*sin(x) od 0 do pi"
EARLIER = {
    "Przepis na pierogi ruskie": 0,
    "Jak działa silnik elektryczny?": 1,
    "List z podziękowaniem dla sąsiadów": 1,
    "Ćwiczenia z ułamków dla klasy piątej": 4,
    "Co zobaczyć w Łodzi?": 6,
    "Sonet o jesieni": 19,
}
"""Earlier conversations, and how many days ago they were."""
TALL: ViewportSize = {"width": 1280, "height": 940}
CLOUDS: dict[str, object] = {
    "weather": [{"id": 803, "main": "Clouds", "description": "zachmurzenie duże", "icon": "04d"}],
    "snow": {"3h": 0},
    "pop": 0.1,
}
REPLIES = {WEEKEND: PLAN, "liczbę pi": "Liczba $\\pi$ to stosunek obwodu koła do jego średnicy."}


@dataclass(frozen=True, kw_only=True, slots=True)
class Studio:
    """Where pictures are taken, and where to they go."""

    chromium: Chromium
    product: PageProduct
    folder: Path

    @contextmanager
    def chat(self, words: Texts = POLISH, **kind: Unpack[Kind]) -> Iterator[ChatPage]:
        """The page in a window of its own, with a few earlier conversations."""
        kind.setdefault("scale", SCALE)
        self.product.forget()
        self.product.model.lines = REPLIES
        self.product.openweather.steps = CLOUDS
        with self.chromium.window(self.product.url, **kind) as window:
            self.product.fill(EARLIER)
            yield ChatPage(window=window, url=self.product.url, words=words).open()

    def take(self, chat: ChatPage, name: str, *, is_photo: bool = False) -> None:
        """Write what the window shows, with the pointer out of the way."""
        chat.page.mouse.move(1, 1)
        chat.page.wait_for_timeout(600)  # what fades in is there
        self.take_page(chat.page, name, is_photo=is_photo)

    def take_page(
        self, page: Page, name: str, *, is_photo: bool = False, is_whole: bool = False
    ) -> None:
        """Write what a page shows, with ``is_whole`` also what is below the window."""
        shot = page.screenshot(animations="disabled", full_page=is_whole)
        picture = Image.open(io.BytesIO(shot))
        path = self.folder / f"{name}.png"
        dither = Image.Dither.FLOYDSTEINBERG if is_photo else Image.Dither.NONE
        few = picture.convert("RGB").quantize(COLOURS, dither=dither)
        few.save(path, optimize=True)
        print(f"{path.name}: {path.stat().st_size // 1000} kB")  # noqa: T201 - for whoever runs it


def take_empty(studio: Studio) -> None:
    for scheme in ("light", "dark"):
        with studio.chat(scheme=scheme) as chat:
            studio.take(chat, f"empty-{scheme}")


def take_conversation(studio: Studio) -> None:
    """What the README opens with: three tracks in one conversation."""
    for scheme in ("light", "dark"):
        with studio.chat(scheme=scheme, size=TALL) as chat:
            chat.ask(RAIN)
            chat.ask(PERSON)
            studio.take(chat, f"chat-{scheme}")


def take_mathematics(studio: Studio) -> None:
    with studio.chat() as chat:
        chat.ask(INTEGRAL)
        studio.take(chat, "mathematics")


def take_wikipedia(studio: Studio) -> None:
    with studio.chat() as chat:
        chat.ask(PERSON)
        studio.take(chat, "wikipedia")


def take_weather(studio: Studio) -> None:
    with studio.chat() as chat:
        chat.ask(RAIN)
        studio.take(chat, "weather")


def take_model(studio: Studio) -> None:
    with studio.chat() as chat:
        chat.ask(WEEKEND)
        studio.take(chat, "model")


def take_picture(studio: Studio) -> None:
    with studio.chat() as chat:
        studio.product.painter.step_s = 3.0
        chat.say(PICTURE)
        expect(chat.card("Obraz")).to_contain_text("krok 2 z 4")
        studio.take(chat, "picture-progress")
        studio.product.painter.step_s = 0.0
        chat.wait_answered(2)
        expect(chat.answer.get_by_role("img").last).to_be_visible()
        studio.take(chat, "picture", is_photo=True)


def take_failure(studio: Studio) -> None:
    with studio.chat() as chat:
        studio.product.openweather.fault = studio.product.openmeteo.fault = "503"
        chat.ask("Jaka będzie jutro pogoda w Gdyni?")  # that of Łódź is remembered
        studio.take(chat, "tool-failure")


def take_settings(studio: Studio) -> None:
    with studio.chat() as chat:
        chat.ask(RAIN)
        chat.open_settings()
        studio.take(chat, "settings")


def take_phone(studio: Studio) -> None:
    with studio.chat(size=PHONE) as chat:
        chat.ask(RAIN)
        studio.take(chat, "phone")
        chat.button(chat.words.chats).click()
        expect(chat.search).to_be_in_viewport()
        studio.take(chat, "phone-conversations")


def take_conversations(studio: Studio) -> None:
    with studio.chat(size=DESKTOP) as chat:
        chat.ask(RAIN)
        chat.search.fill("lodz")
        chat.page.wait_for_timeout(1_000)
        studio.take(chat, "conversations")


def take_english(studio: Studio) -> None:
    with studio.chat(ENGLISH, locale="en-GB") as chat:
        chat.ask(RAIN)
        studio.take(chat, "english")


def take_desk(studio: Studio) -> None:
    """Signing in, usage, keys and administration of an institution."""
    with tempfile.TemporaryDirectory() as folder, open_institution(Path(folder)) as url:
        with studio.chromium.window(url, scale=SCALE) as window:
            window.page.goto("/sign-in")
            studio.take_page(window.page, "sign-in")
            sign_in(window.page, url)
            for path, name in PICTURED.items():
                window.page.goto(path)
                studio.take_page(window.page, name, is_whole=True)
        with studio.chromium.window(url, size=PHONE, scheme="dark", scale=SCALE) as window:
            sign_in(window.page, url)
            window.page.goto("/usage")
            studio.take_page(window.page, "phone-usage")


SCENES: tuple[Callable[[Studio], None], ...] = (
    take_empty,
    take_conversation,
    take_mathematics,
    take_wikipedia,
    take_weather,
    take_model,
    take_picture,
    take_failure,
    take_settings,
    take_phone,
    take_conversations,
    take_english,
    take_desk,
)


def main(folder: Path, *wanted: str) -> None:
    """Take every picture, or those of the scenes whose names are ``wanted``."""
    if not is_built():
        raise SystemExit("MediaWiki is not installed; run: make test-parts as root")
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as scratch,
        serve_wiki(Path(scratch)) as wiki,
        open_page_product(Path(scratch), wiki.url) as product,
        open_chromium() as chromium,
    ):
        studio = Studio(chromium=chromium, product=product, folder=folder)
        for scene in SCENES:
            if not wanted or scene.__name__.removeprefix("take_") in wanted:
                scene(studio)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
