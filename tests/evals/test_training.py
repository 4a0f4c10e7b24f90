"""Training of the local detector: prompts and weights come out the same from the same seed."""

import re
from pathlib import Path
from random import Random

import numpy as np
import pytest
from scripted.tables import every_row

from chatbot.language.diacritics import Spellings
from chatbot.router.detector.classifier import CLASSES, Classifier
from chatbot.router.detector.formulas.stories.model import WEIGHTS as STORY_WEIGHTS, StoryModel
from chatbot.router.detector.topic_model import WEIGHTS as TOPIC_WEIGHTS, TopicModel
from chatbot.router.detector.trees import BoostedTrees
from chatbot.router.dialogue.articles.name_kinds import NAME_KINDS
from chatbot.router.dialogue.articles.question_kinds import QuestionKinds
from chatbot.router.dialogue.articles.reference import ReferenceModel
from evals.training.fit import Fit, fit
from evals.training.fit_intent import fit_intent
from evals.training.noise import mistype, roughen
from evals.training.prompts import Example, generate
from evals.training.question_kinds import Asked, fit as fit_kinds
from evals.training.references import Reference, fit as fit_references
from evals.training.sayings import DIALOGUES, REPLIES, Saying
from evals.training.slots import Slots, in_place, inflect, read_sections
from evals.training.spellings import count as count_spellings, right as restored_right
from evals.training.story_examples import Example as StoryExample, example_of
from evals.training.story_fit import fit as fit_stories
from evals.training.story_frames import FRAMES, frame_rows
from evals.training.story_trees import (
    NoTemplateError,
    find_calculation,
    orders_of,
    value_of_expression,
)
from evals.training.templates import expand, load_templates
from evals.training.topic_trees import describe, fit_trees
from evals.training.topics import Question, fit as fit_topics, read_questions

LEAST_RIGHT = 0.9

pytestmark = pytest.mark.usefixtures("one_thread")


def chance(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - training examples, no secret


def few_examples() -> tuple[Example, ...]:
    """A part of the prompts, of every class: a whole fit takes minutes."""
    return generate(per_template=1)[::15]


@pytest.fixture(scope="module")
def small_fit() -> Fit:
    return fit(few_examples())


@pytest.fixture(scope="module")
def few_questions() -> tuple[Question, ...]:
    return read_questions(every=40)


def test_one_seed_gives_one_set_of_prompts() -> None:
    assert generate(seed=3, per_template=1) == generate(seed=3, per_template=1)


def test_every_class_has_prompts_and_no_slot_stays_open() -> None:
    examples = generate(per_template=1)

    assert {example.label for example in examples} == set(CLASSES)
    assert not [example.prompt for example in examples if "{place" in example.prompt]


def test_one_set_of_prompts_gives_one_set_of_weights(small_fit: Fit) -> None:
    again = fit(few_examples())

    assert all(
        np.array_equal(again.arrays[name], array) for name, array in small_fit.arrays.items()
    )


def test_what_was_fitted_is_what_the_classifier_reads(small_fit: Fit) -> None:
    shares = Classifier.from_arrays(small_fit.arrays).probabilities("Jaka jest pogoda w Łodzi?")

    assert max(shares, key=lambda label: shares[label]) == "weather"


def test_only_the_features_that_move_scores_most_are_written(small_fit: Fit) -> None:
    arrays = fit(few_examples(), kept=100).arrays
    parts = ("letters", "words")
    least = min(np.abs(arrays[f"{part}_coefficients"]).max(axis=1).min() for part in parts)
    moves = np.concatenate([
        np.abs(small_fit.arrays[f"{part}_coefficients"]).max(axis=1) for part in parts
    ])

    assert sum(len(arrays[f"{part}_idf"]) for part in parts) == 100
    assert least == np.sort(moves)[-100]


def test_one_set_of_questions_gives_one_set_of_topic_weights(
    few_questions: tuple[Question, ...],
) -> None:
    first, again = fit_topics(few_questions), fit_topics(few_questions)

    assert all(np.array_equal(first[name], array) for name, array in again.items())


def test_what_was_fitted_of_topics_is_what_the_model_reads(
    few_questions: tuple[Question, ...], tmp_path: Path
) -> None:
    np.savez(tmp_path / TOPIC_WEIGHTS, allow_pickle=False, **fit_topics(few_questions))

    best = TopicModel.load(tmp_path / TOPIC_WEIGHTS).best("Kim była Irena Sendlerowa?", (2, 4))

    assert [word.text for word in best] == ["Irena", "Sendlerowa"]


def test_trees_that_were_fitted_tell_right_from_wrong(
    few_questions: tuple[Question, ...],
) -> None:
    model = TopicModel.load()
    rivals = [describe(model, one) for one in few_questions]
    first, again = fit_trees(rivals), fit_trees(rivals)

    trees = BoostedTrees.from_arrays(first)
    right = [one.is_right[trees.score(one.described).argmax()] for one in rivals]

    assert all(np.array_equal(first[name], array) for name, array in again.items())
    assert np.mean(right) > LEAST_RIGHT


def test_one_set_of_questions_gives_one_model_of_kinds_that_tells_them() -> None:
    asked = [
        Asked(words=frozenset({"kiedy", f"verb of a {kind}"}), kind=kind)
        for kind in NAME_KINDS
        for _ in range(10)
    ]
    first, again = fit_kinds(asked), fit_kinds(asked)
    fits = QuestionKinds.from_arrays(first).fits(frozenset({"kiedy", "verb of a person"}))

    assert all(np.array_equal(first[name], array) for name, array in again.items())
    assert fits["person"] > 0 > fits["event"]


def test_what_was_fitted_of_references_prefers_what_was_right() -> None:
    follow_ups = [
        Reference(
            signs=(("topic0", f"asks={word}"), ("span0", "own_oblique")),
            right=(True, False),
            is_picked=False,
            is_blind=True,
        )
        for word in ("kiedy", "gdzie", "ile", "kto")
    ]
    model = ReferenceModel.from_arrays(fit_references(follow_ups))

    first, second = model.probabilities((("span0",), ("topic0",)))

    assert first < second
    assert first + second == pytest.approx(1.0)


def few_stories() -> list[StoryExample]:
    stories = [
        (f"{count} bułek po {price} zł, ile zapłacę?", f"{count}*{price}")
        for count, price in ((3, 2), (4, 5), (7, 3), (6, 4))
    ] + [
        (f"{sum_} zł dzielimy na {count} osoby, ile na osobę?", f"{sum_}/{count}")
        for sum_, count in ((90, 3), (80, 4), (33, 3), (44, 2))
    ]
    found = [example_of(prompt, [right], is_own=True) for prompt, right in stories]
    return [one for one in found if one is not None]


def test_stories_of_frames_come_to_what_their_expressions_say(tmp_path: Path) -> None:
    frames = tmp_path / "frames.txt"
    frames.write_text(
        "# bread\n<Mam|Kupuję> {a:3-9 bułkę,bułki,bułek} po {b:10-20} zł, {On} płaci\ta*b\n",
        encoding="utf-8",
    )

    first, again = (list(frame_rows(frames, seed=3, copies=20)) for _ in range(2))
    numbers = [[int(one) for one in re.findall(r"\d+", story)] for story, _ in first]

    assert first == again
    assert len({story for story, _ in first}) > len(first) / 2
    assert [value_of_expression(right[0]) for _, right in first] == [a * b for a, b in numbers]


def test_every_frame_of_stories_has_the_quantities_of_its_expression() -> None:
    lines = FRAMES.read_text(encoding="utf-8").splitlines()
    frames = [line.split("\t") for line in lines if not line.startswith("#")]

    lacking = [
        frame
        for frame, expression in frames
        if not set(re.findall(r"\b[a-f]\b", expression)) <= set(re.findall(r"\{([a-f]):", frame))
    ]

    assert lacking == []


def test_one_set_of_stories_gives_one_set_of_story_weights() -> None:
    first, again = fit_stories(few_stories()), fit_stories(few_stories())

    assert all(np.array_equal(first[name], array) for name, array in again.items())


def test_what_was_fitted_of_stories_is_what_the_model_reads(tmp_path: Path) -> None:
    np.savez(tmp_path / STORY_WEIGHTS, allow_pickle=False, **fit_stories(few_stories()))
    statement = few_stories()[0].statement

    guess = StoryModel.load(tmp_path / STORY_WEIGHTS).guess(statement)

    assert guess is not None
    assert guess.expression == "3*2"


@every_row(
    ("expression", "template"),
    [
        ("3*20 - 5", "a b * c -"),
        ("3*20*(1 - 15/100)", "a b * 1 c - *"),
        ("ceiling(20/3)", "a b / ceiling"),
        ("20*Rational(85, 100)", "a 1 b - *"),
        ("(20 + 5)/2/3", "a c + b / 2 /"),
        ("2*pi*5", "a 2 * pi *"),
        ("20*1.15", "a 1 b + *"),
        ("3*0.05", "a b * 100 /"),
        ("20 - 3.05", "a b - c 100 / -"),
    ],
)
def test_the_template_of_an_expression_is_found_in_the_order_of_the_story(
    expression: str, template: str
) -> None:
    found = find_calculation(expression, (20.0, 3.0, 5.0, 0.15), (False, False, False, True))

    assert found.template == template


def test_an_expression_of_numbers_that_the_story_lacks_has_no_template() -> None:
    with pytest.raises(NoTemplateError):
        find_calculation("3*17", (3.0, 5.0), (False, False))


def test_a_template_has_every_order_of_its_quantities_once() -> None:
    assert set(orders_of("a b * c +")) == {"a b * c +", "a c * b +", "a b c * +"}


@pytest.mark.parametrize(
    ("expression", "value"),
    [("Rational(7, 2)", 3.5), ("solve(Eq(2*x + 1, 7), x)", 3.0), ("floor(17/5)", 3.0)],
)
def test_a_right_expression_has_its_value(expression: str, value: float) -> None:
    assert value_of_expression(expression) == value


@pytest.mark.parametrize("expression", ["x + 1", "solve(Eq(x**2, 4), y", "oo"])
def test_what_comes_to_no_number_has_no_value(expression: str) -> None:
    assert value_of_expression(expression) is None


def test_one_set_of_sayings_gives_one_set_of_intent_weights() -> None:
    sayings = [
        Saying(
            signs=[{f"{each}|1": 1.0, f"{each}|{label}": 1.0} for each in CLASSES],
            label=label,
            right=frozenset({label}),
            origin=f"{label}{number}",
            source=DIALOGUES if number % 2 else REPLIES,
        )
        for number in range(12)
        for label in CLASSES
    ]
    fits = [fit_intent(sayings) for _ in range(2)]

    assert fits[0].quality[DIALOGUES].accuracy == 1.0
    assert all(np.array_equal(fits[1].arrays[name], one) for name, one in fits[0].arrays.items())


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("Łódź", "w Łodzi"),
        ("Wrocław", "we Wrocławiu"),
        ("Hel", "na Helu"),
        ("Warszawa", "w Warszawie"),
    ],
)
def test_a_place_is_said_with_its_preposition(name: str, place: str) -> None:
    assert in_place(name) == place


def test_a_phrase_is_inflected_whole() -> None:
    assert inflect("czarny kot", "gen") == "czarnego kota"


def test_a_template_is_expanded_with_values_and_without_loose_spaces() -> None:
    text = expand(
        "<Pada|Pada> {place:in} <|> ?", random=chance(1), fill={"place:in": "w Łodzi"}.__getitem__
    )

    assert text == "Pada w Łodzi?"


def test_sections_are_read_by_their_names() -> None:
    assert read_sections("[a]\nx; y\n\n[b]\nz") == {"a": ("x", "y"), "b": ("z",)}


@every_row("slot", ["num", "arith", "arith_words", "percent", "year", "place:in"])
def test_every_kind_of_slot_is_filled(slot: str) -> None:
    assert Slots.load(chance(2)).fill(slot)


def test_noise_is_the_same_for_the_same_chance() -> None:
    prompt = "Jaka jest pogoda w Łodzi?"

    assert roughen(prompt, chance(5)) == roughen(prompt, chance(5))


def test_a_text_without_letters_cannot_be_mistyped() -> None:
    assert mistype("2+2", chance(1)) == "2+2"


def test_comments_are_no_templates() -> None:
    assert not [line for line in load_templates("none") if line.startswith("#")]


def test_counted_spellings_restore_what_they_were_counted_from() -> None:
    texts = ("łoś stoi na łące", "łoś pije z rzeki", "los na loterię", "łoś w lesie")
    written, letters = count_spellings(texts)
    spellings = Spellings(written, letters)

    assert written["łoś"] == 3
    assert "stoi" not in written
    assert spellings.likeliest("los") == "łoś"
    assert restored_right(spellings, texts) > restored_right(Spellings({}, {}), texts)
