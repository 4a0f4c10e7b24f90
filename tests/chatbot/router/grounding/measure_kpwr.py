"""Damage the names of a KPWr file and ground them: places and persons, each in one sentence.

The file is read from a path and is no part of the repository: tab-separated lemma, form, word
lemmas, tags, flags, kind. Run: PYTHONPATH=. python measure_kpwr.py kpwr-1.2-ne-tune-fix.tsv
"""

import sys
from collections import Counter
from pathlib import Path
from random import Random

from chatbot.router.grounding import ground
from chatbot.types import NameKind
from evals.bench.corruptions import Mention, corruptions

KINDS: dict[str, NameKind] = {"nam_loc_gpe_city": "place", "nam_liv_person": "person"}
SENTENCES = {
    "nom": "{} – co o tym wiadomo?",
    "gen": "Mam pytanie, dotyczy ono {} i okolic.",
    "dat": "Dzięki {} wszystko się wyjaśniło?",
    "acc": "Czy przez {} to się nie uda?",
    "inst": "Co jest nie tak z {} i resztą?",
    "loc": "Opowiedz, proszę, o {} i reszcie.",
}
MOST = 800


def main() -> None:
    rows = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    named = sorted({row for line in rows if (row := read(line)) is not None})
    counts: Counter[tuple[NameKind, str, str]] = Counter()
    chosen = Random(1).sample(named, min(MOST, len(named)))  # noqa: S311 - repeatable
    for kind, name, form, case in chosen:
        text = SENTENCES[case].format(form)
        values = [("good", name), *corruptions(Mention(name=name, form=form), 1)]
        for label, value in values:
            grounded = ground(value, kind, (text,))
            counts[kind, label, "all"] += 1
            counts[kind, label, "right"] += grounded.value == name
            counts[kind, label, "flagged"] += grounded.state == "invented"
            if "--wrong" in sys.argv and grounded.value != name:
                sys.stdout.write(f"{label}: {value!r} → {grounded.value!r}, not {name!r}: {text}\n")
    for kind, label in sorted({(kind, label) for kind, label, _ in counts}):
        total, right, flagged = (counts[kind, label, one] for one in ("all", "right", "flagged"))
        figures = f"{right:5} of {total:5} ({right / total:.1%}), flagged {flagged}"
        sys.stdout.write(f"{kind:7} {label:16} {figures}\n")


def read(line: str) -> tuple[NameKind, str, str, str] | None:
    name, form, _, tags, _, label, *_ = line.split("\t")
    case = tags.split(" ")[0].split(":")[2:3]
    if label not in KINDS or case[:1] == [] or case[0] not in SENTENCES:
        return None
    return KINDS[label], name, form, case[0]


if __name__ == "__main__":
    main()
