"""Cuts Polish text after whole sentences."""

from itertools import islice, takewhile

from chatbot.language.sentences import sentence_ends


def cut_sentences(text: str, *, count: int, max_chars: int) -> str:
    """At most ``count`` whole sentences and ``max_chars`` characters of ``text``.

    Where not even one sentence fits, it is cut at a word and ends in an ellipsis.
    """
    text = text.strip()
    fitting = takewhile(lambda end: end <= max_chars, sentence_ends(text))
    ends = list(islice(fitting, count))
    if ends:
        return text[: ends[-1]]
    if len(text) <= max_chars:
        return text
    return text[: max_chars - 1].rsplit(None, 1)[0].rstrip(" ,;:–-") + "…"
