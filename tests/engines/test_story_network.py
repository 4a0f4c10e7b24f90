"""The network of word problems: its training repeats, and numpy reads what PyTorch learnt."""

import json
import os
import subprocess
import sysconfig

import pytest
from engines.environment import PYTHON, QUIET, ROOT

pytestmark = [pytest.mark.engines, pytest.mark.timeout(400)]

LEARNT = """
import json
import numpy as np
import torch
from chatbot.router.detector.formulas.stories.network import SCALE, StoryNetwork
from chatbot.router.detector.formulas.stories.templates import LETTERS
from chatbot.router.detector.formulas.stories.tokens import tokens_of
from evals.training import story_network as training
from evals.training.story_examples import OWN, example_of, own_rows
from evals.training.story_numbers import Names, Story, number, story_of, story_of_talk
from evals.training.talks import TALKS, example_of_talk, of_talks

rows = list(own_rows(OWN / "stories_10.tsv"))[:300]
examples = [one for prompt, right in rows if (one := example_of(prompt, right, is_own=True))]
stories = [story for one in examples if (story := story_of(one))]
talks = [one for each in of_talks(TALKS / "talks_1.txt") if (one := example_of_talk(each))]
stories += [story for one in talks[:100] if (story := story_of_talk(one))]
first, again = (training.fit(stories, epochs=2) for _ in range(2))
network = StoryNetwork.from_arrays(first)
names = Names.of(stories)
learnt = training.Network(names)
learnt.load_state_dict({
    name: torch.from_numpy(
        first[name].astype(np.float32)
        * (first[name + SCALE].astype(np.float32)[:, None] if name + SCALE in first else 1)
    )
    for name in learnt.state_dict()
})
learnt.eval()

def likelihood(tokens, written):
    signs = [written.chosen[LETTERS.index(sign)] if sign in LETTERS else sign
             for sign in written.code.split()]
    story = Story(tokens=tuple(tokens), signs=tuple(signs))
    batch = training.batch_of([number(story, names)], learnt.start)
    with torch.no_grad():
        return float(learnt(batch)[0].gather(1, batch.signs[0][:, None]).sum())

read = [tokens_of(one.statement) for one in examples[:20]]
read += [list(one.conversation.tokens) for one in talks[:20]]
pairs = [
    (written.likelihood, likelihood(tokens, written))
    for tokens in read for written in network.write(tokens)
]
print(json.dumps({
    "same": all(np.array_equal(first[name], again[name]) for name in first), "pairs": pairs,
}))
"""


def test_training_repeats_and_numpy_finds_as_likely_what_pytorch_does() -> None:
    both = {"PYTHONPATH": f"{ROOT}:{sysconfig.get_path('purelib')}"}
    done = subprocess.run(
        [str(PYTHON), "-c", LEARNT],
        check=True,
        env=os.environ | QUIET | both,
        capture_output=True,
        text=True,
    )
    told = json.loads(done.stdout.splitlines()[-1])
    pairs = told["pairs"]

    assert told["same"]
    assert len(pairs) >= 20
    assert all(abs(ours - theirs) < 1e-3 for ours, theirs in pairs)
