"""Times the comparison of texts: `PYTHONPATH=. python tests/chatbot/language/measure_facts.py`."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from chatbot.language.facts import Source

CORPUS = Path(__file__).with_name("paraphrases.tsv")
ROUNDS = 20


def timed(work: Callable[[str], object], text: str) -> float:
    """Microseconds, the median of some rounds."""
    spent = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work(text)
        spent.append(time.perf_counter() - started)
    return median(spent) * 1e6


def main() -> None:
    rows = [line.split("\t") for line in CORPUS.read_text("utf-8").splitlines() if line[:1] != "#"]
    texts = {row[0][1:]: row[1].replace("\\n", "\n") for row in rows if row[0][:1] == "="}
    sources = {key: Source(text) for key, text in texts.items()}
    reading = [timed(Source, text) / len(text) for text in texts.values()]
    comparing = [timed(sources[row[1]].object_to, row[2]) for row in rows if row[0] == "good"]
    long = "W Łodzi jest teraz 5 °C, pochmurno, wilgotność 93%. " * 100
    sys.stdout.write(
        f"reading a result: {median(reading):.1f} µs a character\n"
        f"comparing a sentence: median {median(comparing):.0f} µs, worst {max(comparing):.0f} µs\n"
        f"reading {len(long)} characters: {timed(Source, long) / 1000:.0f} ms\n"
    )


if __name__ == "__main__":
    main()
