from serving.images.links import PATH, PictureLinks
from serving.images.metrics import ImageMetrics


class Watch:
    """A clock that tests turn."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def keep_links(watch: Watch, *, max_bytes: int = 1000) -> PictureLinks:
    return PictureLinks(link_s=600, max_bytes=max_bytes, monotonic=watch, metrics=ImageMetrics())


def name_of(path: str) -> str:
    return path.removeprefix(PATH)


def test_a_link_leads_to_its_picture_until_its_time_is_over() -> None:
    watch = Watch()
    links = keep_links(watch)
    name = name_of(links.keep(b"dots", "png"))

    watch.now = 540.5
    before = links.find(name)
    left_s = before and links.seconds_left(before)
    watch.now = 600.0

    assert before is not None
    assert (before.content, before.form, left_s) == (b"dots", "png", 59)
    assert links.find(name) is None


def test_names_cannot_be_guessed() -> None:
    links = keep_links(Watch())

    names = {name_of(links.keep(b"dots", "webp")) for _ in range(10)}

    assert len(names) == 10
    assert all(len(name) == len("0" * 32 + ".webp") for name in names)


def test_the_oldest_make_room() -> None:
    links = keep_links(Watch(), max_bytes=10)
    old = name_of(links.keep(b"123456", "png"))
    new = name_of(links.keep(b"123456", "png"))

    assert links.find(old) is None
    assert links.find(new) is not None


def test_a_name_that_never_was_leads_nowhere() -> None:
    assert keep_links(Watch()).find("../settings.png") is None
