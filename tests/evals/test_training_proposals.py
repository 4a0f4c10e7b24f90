"""Training of the model that chooses the calculation of a follow-up."""

from hashlib import sha256
from importlib.resources import files

import numpy as np
import pytest

from chatbot.router.dialogue.proposal import LIKELY, WEIGHTS, Choice, ProposalModel
from chatbot.router.dialogue.proposals import Proposal
from evals.training.proposals import FollowedUp, fit

LARGEST = 30_000

pytestmark = pytest.mark.usefixtures("one_thread")


def followed_up() -> list[FollowedUp]:
    """Follow-ups after 12 that ask for a half and for the double, in turn."""
    found = []
    for word, right in (("polow", 6.0), ("dwa r", 24.0)) * 4:
        choice = Choice(
            proposals=tuple(
                Proposal(form=form, written=form, value=value, operands=())
                for form, value in (("12/2", 6.0), ("12*2", 24.0))
            ),
            values=(6.0, 24.0),
            signs=((("F /", (f"w {word}",)),), (("F *", (f"w {word}",)),)),
        )
        found.append(
            FollowedUp(
                choice=choice,
                asked=choice,
                right=[right],
                is_ruled=False,
                is_plain=True,
                is_found=False,
                is_blind=True,
            )
        )
    return found


def test_the_packaged_proposal_weights_are_those_of_the_recorded_training() -> None:
    data = (files("chatbot.router.dialogue") / WEIGHTS).read_bytes()
    recorded = (files("evals.training") / "weights.sha256").read_text(encoding="utf-8")

    assert len(data) < LARGEST
    assert f"{sha256(data).hexdigest()}  {WEIGHTS}" in recorded.splitlines()


def test_what_was_fitted_of_calculations_chooses_what_was_right() -> None:
    follow_ups = followed_up()
    model = ProposalModel.from_arrays(fit(follow_ups))

    best = [model.best(one.choice) for one in follow_ups]

    assert [follow_ups[0].choice.values[at] for at, _ in best] == [6.0, 24.0] * 4
    assert min(share for _, share in best) > LIKELY


def test_one_set_of_follow_ups_gives_one_set_of_weights() -> None:
    first, again = fit(followed_up()), fit(followed_up())

    assert all(np.array_equal(first[name], array) for name, array in again.items())
