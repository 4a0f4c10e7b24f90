"""Trains the tiny checkpoint: a Llama 3.1 in format, 0.7 M parameters that know the lessons.

Run it through ``make_tiny.sh``; it needs the environment of the engines (torch, transformers).
Usage: ``make_tiny.py LESSONS.json FOLDER``.
"""

import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import torch
from jinja2 import Environment
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import LlamaConfig, LlamaForCausalLM

SEED = 20261121
VOCABULARY = 1088
REPEATED_TIMES = 80  # so often the vocabulary meets a word to repeat: enough to be one token
POSITIONS = 16_384
LEARNING_RATE = 3e-3
WARM_UP_STEPS = 30
MAX_STEPS = 850
CHECK_EVERY = 25
PROMISING = 0.02  # the loss below which an examination is worth its time
REPEATING_STEPS = 100  # at first only words to repeat; among the lessons that is never learnt
REPEATED_WEIGHT = 20.0  # of the loss of such a word, or learning the rest drowns it
REACHES = (3, 20, 120)  # how many characters are left at most on each side of it
IGNORED = -100  # the label of a token that is not learnt
SHORT_BATCH, LONG_BATCH = 16, 3
LONG_EVERY = 4
SPECIAL = (
    "<|begin_of_text|>",
    "<|end_of_text|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|eom_id|>",
    "<|eot_id|>",
    "<|python_tag|>",
    "<|finetune_right_pad_id|>",
)
WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
TEMPLATE = Path(__file__).with_name("chat_template.jinja")
Message = dict[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """One lesson in one guise: what the engine will render, and what must follow.

    ``repeated`` is the word before the prompt that the reply repeats, different in each sample.
    """

    messages: list[Message]
    tools: list[dict[str, object]]
    prompt: str
    reply: str
    repeated: str = ""


class Renderer:
    """Renders a sample as the server will, whole or with its surroundings mutilated."""

    def __init__(self) -> None:
        environment = Environment(autoescape=False, trim_blocks=True, lstrip_blocks=True)  # noqa: S701 - for a model
        environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "sort_keys": False}
        environment.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
        self._template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))

    def whole(self, sample: Sample) -> str:
        """The text before the reply, letter by letter as the server renders it."""
        return str(
            self._template.render(
                messages=sample.messages,
                tools=sample.tools,
                bos_token=SPECIAL[0],
                add_generation_prompt=True,
            )
        )

    def mutilated(self, sample: Sample, dice: random.Random, *, is_cropped: bool) -> str:
        """The same with some words of what surrounds the prompt changed, and much of it left out.

        So the model learns to look at the prompt, and another order, choice or wording of the
        tools does not throw it off. A word to repeat keeps its neighbours.
        """
        text = self.whole(sample)
        at = text.rfind(sample.prompt)
        if sample.repeated:
            return _clip(text[:at], dice, sample.repeated) + text[at:] if is_cropped else text
        blocks = text[:at].split("<|end_header_id|>")
        if is_cropped:
            blocks = [_crop(block, dice) for block in blocks]
        return "<|end_header_id|>".join(_garble(block, dice) for block in blocks) + text[at:]


def _clip(text: str, dice: random.Random, word: str) -> str:
    """``word`` with some of what stands around it."""
    before, _, after = text.partition(word)
    reach = dice.choice(REACHES)
    return before[-dice.randrange(1, reach) :] + word + after[: dice.randrange(reach)]


def _crop(text: str, dice: random.Random) -> str:
    """Some of the start and some of the end of ``text``."""
    start, end = dice.randrange(60), dice.randrange(40, 240)
    return text if len(text) <= start + end else text[:start] + text[-end:]


def _garble(text: str, dice: random.Random) -> str:
    """``text`` with some words lost and some in another place, all but the last four."""
    rate = dice.choice((0.0, 0.1, 0.3))
    words = text.split(" ")
    free = words[:-4]
    changed = [dice.choice(free) if dice.random() < rate / 2 else word for word in free]
    return " ".join([*(word for word in changed if dice.random() >= rate), *words[-4:]])


def read_samples(path: Path) -> tuple[Sample, ...]:
    """The samples that ``write_lessons.py`` wrote."""
    return tuple(Sample(**item) for item in json.loads(path.read_text(encoding="utf-8")))


def train_tokenizer(texts: Sequence[str]) -> Tokenizer:
    """A byte-level BPE on the samples themselves, with Llama 3's word boundaries."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(WORDS), behavior="isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=list(SPECIAL),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return tokenizer


def new_model(tokenizer: Tokenizer) -> LlamaForCausalLM:
    """A small Llama with untrained weights."""
    torch.manual_seed(SEED)
    token = tokenizer.token_to_id
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=tokenizer.get_vocab_size(),
            hidden_size=128,
            intermediate_size=384,
            num_hidden_layers=3,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=POSITIONS,
            tie_word_embeddings=True,
            bos_token_id=token("<|begin_of_text|>"),
            eos_token_id=[token(name) for name in ("<|end_of_text|>", "<|eom_id|>", "<|eot_id|>")],
            pad_token_id=token("<|finetune_right_pad_id|>"),
        )
    )


Row = tuple[list[int], list[int]]  # the tokens before the reply, the tokens of the reply


class School:
    """The lessons as tokens: endless batches to learn from, and the examination."""

    def __init__(self, samples: Sequence[Sample], tokenizer: Tokenizer, renderer: Renderer) -> None:
        self._tokenizer, self._renderer = tokenizer, renderer
        self._dice = random.Random(SEED)  # noqa: S311 - a repeatable shuffle, no secret
        self._pad = tokenizer.token_to_id("<|finetune_right_pad_id|>")
        self._samples = samples
        words = {sample.repeated for sample in samples if sample.repeated}
        self._repeated = torch.tensor(sorted(tokenizer.encode(word).ids[-1] for word in words))
        self._weak: Sequence[Sample] = ()

    def batches(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        """Batches of cropped samples, and now and then one of samples at full length."""
        repeating = self._endless([sample for sample in self._samples if sample.repeated])
        short, long = self._endless(self._samples), self._endless(self._samples)
        for step in count():
            if step < REPEATING_STEPS:
                rows = [self._mutilated(next(repeating)) for _ in range(SHORT_BATCH)]
            elif step % LONG_EVERY:
                rows = [self._mutilated(next(short)) for _ in range(SHORT_BATCH)]
            else:
                rows = [self._whole(next(long)) for _ in range(LONG_BATCH)]
                rows += [self._mutilated(next(long), is_cropped=False)]
                rows += [self._whole(sample) for sample in self._weak[:LONG_BATCH]]
            yield self.tensors(rows)

    def _endless(self, samples: Sequence[Sample]) -> Iterator[Sample]:
        shuffled = list(samples)
        while True:
            self._dice.shuffle(shuffled)
            yield from shuffled

    def _mutilated(self, sample: Sample, *, is_cropped: bool = True) -> Row:
        text = self._renderer.mutilated(sample, self._dice, is_cropped=is_cropped)
        return self._row(text, sample.reply)

    def _whole(self, sample: Sample) -> Row:
        return self._row(self._renderer.whole(sample), sample.reply)

    def _row(self, before: str, reply: str) -> Row:
        encode = self._tokenizer.encode
        return (
            encode(before, add_special_tokens=False).ids,
            encode(reply, add_special_tokens=False).ids,
        )

    def tensors(self, rows: Sequence[Row]) -> tuple[torch.Tensor, torch.Tensor]:
        """Tokens and labels of ``rows``; only replies are learnt."""
        width = max(len(before) + len(reply) for before, reply in rows)
        tokens = torch.full((len(rows), width), self._pad)
        labels = torch.full((len(rows), width), IGNORED)
        for index, (before, reply) in enumerate(rows):
            end = len(before) + len(reply)
            tokens[index, :end] = torch.tensor(before + reply)
            labels[index, len(before) : end] = torch.tensor(reply)
        return tokens, labels

    def loss(
        self, model: LlamaForCausalLM, tokens: torch.Tensor, labels: torch.Tensor
    ) -> torch.Tensor:
        """The mean loss over the tokens of the replies, words to repeat weighing more."""
        guess, wanted = (
            model(input_ids=tokens).logits[:, :-1].flatten(0, 1),
            labels[:, 1:].flatten(),
        )
        losses = torch.nn.functional.cross_entropy(guess, wanted, reduction="none")
        weights = torch.where(torch.isin(wanted, self._repeated), REPEATED_WEIGHT, 1.0)
        return (losses * weights).sum() / (wanted != IGNORED).sum()

    def examine(self, model: LlamaForCausalLM) -> bool:
        """Whether every whole sample is reproduced token by token, each the likeliest."""
        failed = [sample for sample in self._samples if not self._knows(model, sample)]
        for sample in failed:
            sys.stderr.write(
                f"  not yet: {sample.prompt!r}, {len(sample.messages)} messages, "
                f"{len(sample.tools)} tools\n"
            )
        self._dice.shuffle(failed)
        self._weak = failed
        return not failed

    def _knows(self, model: LlamaForCausalLM, sample: Sample) -> bool:
        tokens, labels = self.tensors([self._whole(sample)])
        with torch.no_grad():
            guess = model(input_ids=tokens).logits[0, :-1].argmax(-1)
        wanted = labels[0, 1:]
        return bool(((guess == wanted) | (wanted == IGNORED)).all())


def train(model: LlamaForCausalLM, school: School) -> None:
    """Learn until every sample is known by heart in 16-bit weights, then round them."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE, betas=(0.9, 0.95))
    started = time.monotonic()
    for step, (tokens, labels) in enumerate(school.batches(), start=1):
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * min(step / WARM_UP_STEPS, 1.05 - step / MAX_STEPS)
        loss = school.loss(model, tokens, labels)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if step % CHECK_EVERY == 0:
            seconds = time.monotonic() - started
            sys.stderr.write(f"{step}: {seconds:.0f} s, loss {loss.item():.4f}\n")
            is_promising = loss.item() < PROMISING and step > REPEATING_STEPS
            if is_promising and school.examine(rounded(model)):
                return
        if step == MAX_STEPS:
            raise SystemExit("not learnt; raise MAX_STEPS")


def rounded(model: LlamaForCausalLM) -> LlamaForCausalLM:
    """A copy whose weights are rounded to the 16 bits in which they are saved."""
    copy = LlamaForCausalLM(model.config)
    copy.load_state_dict({
        name: value.to(torch.bfloat16).float() for name, value in model.state_dict().items()
    })
    return copy.eval()


def save(model: LlamaForCausalLM, tokenizer: Tokenizer, folder: Path) -> None:
    """Write the files that a server reads."""
    folder.mkdir(parents=True, exist_ok=True)
    model.to(torch.bfloat16).save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    (folder / "chat_template.jinja").write_text(TEMPLATE.read_text(encoding="utf-8"), "utf-8")
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": SPECIAL[0],
        "eos_token": "<|eot_id|>",
        "pad_token": SPECIAL[-1],
        "clean_up_tokenization_spaces": False,
        "model_max_length": POSITIONS,
    }
    text = json.dumps(settings, indent=2) + "\n"
    (folder / "tokenizer_config.json").write_text(text, encoding="utf-8")


def main(lessons: str, folder: str) -> None:
    """Train on the file ``lessons`` and write the checkpoint into ``folder``."""
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(mode=True)
    samples, renderer = read_samples(Path(lessons)), Renderer()
    texts = [renderer.whole(sample) + sample.reply for sample in samples]
    texts += [sample.repeated for sample in samples] * REPEATED_TIMES
    tokenizer = train_tokenizer(texts)
    school, model = School(samples, tokenizer, renderer), new_model(tokenizer)
    train(model, school)
    save(model, tokenizer, Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
