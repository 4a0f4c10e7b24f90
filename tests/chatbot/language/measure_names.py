"""Measure lemmatise() on a table of names (KPWr, or our own), by type: accuracy and time."""

import argparse
import time
from collections import Counter
from pathlib import Path

from chatbot.language import lemmatise, morphology
from chatbot.types import NameKind


def kind_of(label: str) -> NameKind:
    """Return the kind of name that a KPWr type is."""
    if label.startswith("nam_liv_person"):
        return "person"
    return "place" if label.startswith("nam_loc") else "topic"


def groups_of(label: str) -> tuple[str, ...]:
    """Return the groups that a KPWr type is counted in."""
    if label == "nam_loc_gpe_city":
        return ("all", "places", "cities")
    if label.startswith("nam_loc"):
        return ("all", "places")
    return ("all", "persons") if label.startswith("nam_liv_person") else ("all",)


def main() -> None:
    """Print the accuracy of each group; with ``--wrong N`` also the most frequent errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("--wrong", type=int, default=0)
    options = parser.parse_args()
    morphology()
    right, total, wrong = Counter[str](), Counter[str](), Counter[str]()
    begin = time.perf_counter()
    for line in options.table.read_text(encoding="utf-8").splitlines():
        gold, form, _, _, _, label, *_ = line.split("\t")
        found = lemmatise(form, kind=kind_of(label))
        for group in groups_of(label):
            total[group] += 1
            right[group] += found == gold
        if found != gold:
            wrong[f"{label}: {form} → {found} (gold {gold})"] += 1
    spent = (time.perf_counter() - begin) / max(1, total["all"])
    for group, count in total.items():
        print(f"{group}: {right[group] / count:.3f} of {count}")  # noqa: T201 - a command's output
    print(f"{spent * 1000:.2f} ms a phrase")  # noqa: T201 - a command's output
    for text, count in wrong.most_common(options.wrong):
        print(count, text)  # noqa: T201 - a command's output


if __name__ == "__main__":
    main()
