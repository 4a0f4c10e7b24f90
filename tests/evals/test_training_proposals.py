"""Training of the model that chooses the calculation of a follow-up."""

import numpy as np
import pytest

from chatbot.router.dialogue.calculations.proposal import LIKELY, Choice, ProposalModel
from chatbot.router.dialogue.calculations.proposals import Proposal
from evals.training.proposals import FollowedUp, fit

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
                right=[right],
                is_ruled=False,
                is_plain=True,
                is_found=False,
            )
        )
    return found


def test_what_was_fitted_of_calculations_chooses_what_was_right() -> None:
    follow_ups = followed_up()
    model = ProposalModel.from_arrays(fit(follow_ups))

    best = [model.best(one.choice) for one in follow_ups]

    assert [one.value for one in best if one is not None] == [6.0, 24.0] * 4
    assert min(one.share for one in best if one is not None) > LIKELY


def test_one_set_of_follow_ups_gives_one_set_of_weights() -> None:
    first, again = fit(followed_up()), fit(followed_up())

    assert all(np.array_equal(first[name], array) for name, array in again.items())
