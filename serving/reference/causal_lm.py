"""The port's real side: Transformers' `AutoModelForCausalLM`, one forward pass a step."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

import torch
from jinja2 import TemplateError
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)
from transformers.utils import logging as transformers_logging

from chatbot.errors import ErrorCode, InvalidRequest, ZwrotnicaError
from chatbot.types import JsonObject
from serving.http.errors import Refusal
from serving.reference.options import ModelOptions
from serving.reference.token_choice import TokenChooser
from serving.reference.token_model import Prompt

_DTYPES: Final[Mapping[str, torch.dtype]] = MappingProxyType({
    "bfloat16": torch.bfloat16,
    "float16": torch.float16,
    "float32": torch.float32,
})


class CausalLanguageModel:
    """Implements `serving.reference.token_model.TokenModel`."""

    def __init__(self, options: ModelOptions) -> None:
        """Nothing is read before `load`."""
        self._options = options
        self._model: PreTrainedModel | None = None
        self._tokenizer: PreTrainedTokenizerBase | None = None
        self._context = 0
        self._end_ids = frozenset[int]()
        self._special_ids = frozenset[int]()

    @property
    def context_tokens(self) -> int:
        """See `TokenModel.context_tokens`; the checkpoint's, or less where that was asked for."""
        return self._context

    @property
    def end_ids(self) -> frozenset[int]:
        """See `TokenModel.end_ids`: those of the checkpoint's generation config and tokenizer."""
        return self._end_ids

    @property
    def special_ids(self) -> frozenset[int]:
        """See `TokenModel.special_ids`."""
        return self._special_ids

    def load(self) -> None:
        """See `TokenModel.load`; nothing is downloaded."""
        transformers_logging.set_verbosity_error()
        transformers_logging.disable_progress_bar()
        folder, device = self._folder(), self._device()
        _leave_out_cudnn_attention()
        try:
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            model = AutoModelForCausalLM.from_pretrained(
                folder, dtype=self._dtype(device), local_files_only=True
            )
        except (OSError, ValueError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise ZwrotnicaError(
                f"the checkpoint {self._options.folder!r} cannot be loaded: {reason}; --model "
                "names a folder with config.json, the weights and the tokenizer"
            ) from error
        if tokenizer.chat_template is None:
            raise ZwrotnicaError(
                f"the checkpoint {self._options.folder!r} has no chat template: add the "
                "chat_template.jinja of its model card to the folder"
            )
        self._tokenizer = tokenizer
        self._model = _move(model, device)
        self._context = self._read_context(model)
        self._end_ids = _read_ends(model, tokenizer)
        self._special_ids = frozenset(
            token for token, added in tokenizer.added_tokens_decoder.items() if added.special
        )

    def read_chat(
        self, messages: Sequence[JsonObject], tools: Sequence[JsonObject]
    ) -> tuple[int, ...]:
        """See `TokenModel.read_chat`."""
        try:
            text = self._loaded_tokenizer.apply_chat_template(
                list(messages),
                tools=list(tools) or None,
                add_generation_prompt=True,
                tokenize=False,
            )
        except (TemplateError, TypeError) as error:
            raise InvalidRequest(
                f"the model's chat template does not take these messages: {error}",
                param="messages",
            ) from error
        return self.read_text(text, has_start=False)

    def read_text(self, text: str, *, has_start: bool) -> tuple[int, ...]:
        """See `TokenModel.read_text`."""
        return tuple(self._loaded_tokenizer.encode(text, add_special_tokens=has_start))

    def write(self, ids: Sequence[int]) -> str:
        """See `TokenModel.write`."""
        text: str = self._loaded_tokenizer.decode(
            list(ids), skip_special_tokens=False, clean_up_tokenization_spaces=False
        )
        return text

    def begin(self, prompts: Sequence[Prompt]) -> "PaddedBatch":
        """See `TokenModel.begin`."""
        if self._model is None:
            raise ZwrotnicaError("the model was used before it was loaded")
        return PaddedBatch(self._model, prompts)

    @property
    def _loaded_tokenizer(self) -> PreTrainedTokenizerBase:
        if self._tokenizer is None:
            raise ZwrotnicaError("the tokenizer was used before it was loaded")
        return self._tokenizer

    def _folder(self) -> str:
        folder = Path(self._options.folder).expanduser()
        return str(folder) if folder.is_dir() else self._options.folder

    def _device(self) -> str:
        has_card = torch.cuda.is_available()
        if self._options.device == "auto":
            return "cuda" if has_card else "cpu"
        if self._options.device == "cuda" and not has_card:
            raise ZwrotnicaError("--device is 'cuda', but torch finds no card; use 'cpu' or 'auto'")
        return self._options.device

    def _dtype(self, device: str) -> torch.dtype | str:
        """The checkpoint's own on a card; a CPU is faster and more exact in float32."""
        if self._options.dtype != "auto":
            return _DTYPES[self._options.dtype]
        return torch.float32 if device == "cpu" else "auto"

    def _read_context(self, model: PreTrainedModel) -> int:
        """The operator's bound, which may not be above the checkpoint's own, or else that."""
        text_config = model.config.get_text_config()
        known: int | None = getattr(text_config, "max_position_embeddings", None)
        context = self._options.context or known
        if context is None:
            raise ZwrotnicaError("the checkpoint does not tell its context: say --context TOKENS")
        if known is not None and context > known:
            raise ZwrotnicaError(f"--context is {context}; the checkpoint's context is {known}")
        return context


class PaddedBatch:
    """Rows padded on the left to the longest; implements `TokenBatch` of the port.

    Every step computes every row, those that have ended too, and the cache grows by one position:
    static batching, as `generate` of Transformers does it.
    """

    def __init__(self, model: PreTrainedModel, prompts: Sequence[Prompt]) -> None:
        """Nothing is computed yet."""
        self._model = model
        width = max(len(prompt.ids) for prompt in prompts)
        ids = torch.zeros((len(prompts), width), dtype=torch.long)
        mask = torch.zeros_like(ids)
        for number, prompt in enumerate(prompts):
            start = width - len(prompt.ids)
            ids[number, start:] = torch.tensor(prompt.ids)
            mask[number, start:] = 1
        self._ids = ids.to(model.device)
        self._mask = mask.to(model.device)
        self._positions = (self._mask.cumsum(dim=-1) - 1).clamp(min=0)
        self._cache: object = None
        self._chooser = TokenChooser(prompts, model.device)

    def step(self) -> tuple[int, ...]:
        """See `TokenBatch.step`."""
        try:
            with torch.inference_mode():
                chosen = self._chooser.choose(self._logits())
        except torch.OutOfMemoryError as error:
            self._cache = None
            torch.cuda.empty_cache()
            raise Refusal(
                "the card has not enough memory for this batch: send less at once, or start the "
                "server with a smaller --batch",
                code=ErrorCode.ENGINE_UNAVAILABLE,
            ) from error
        self._ids = chosen[:, None]
        self._positions = self._positions[:, -1:] + 1
        self._mask = torch.cat((self._mask, torch.ones_like(self._ids)), dim=-1)
        return tuple(chosen.tolist())

    def _logits(self) -> torch.Tensor:
        """Rows × vocabulary, of each row's last position."""
        output = self._model(
            input_ids=self._ids,
            attention_mask=self._mask,
            position_ids=self._positions,
            past_key_values=self._cache,
            use_cache=True,
            logits_to_keep=1,
        )
        self._cache = output.past_key_values
        return output.logits[:, -1].float()


def _leave_out_cudnn_attention() -> None:
    """Choose among torch's other kernels: cuDNN's plans anew for each length of the cache.

    It also repeats no answer to the bit, not at temperature 0 either.
    """
    torch.backends.cuda.enable_cudnn_sdp(enabled=False)


def _move(model: PreTrainedModel, device: str) -> PreTrainedModel:
    try:
        return model.to(device).eval()
    except torch.OutOfMemoryError as error:
        raise ZwrotnicaError(
            "the weights do not fit onto the card: --dtype bfloat16 halves float32, --device cpu "
            "needs no card"
        ) from error


def _read_ends(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> frozenset[int]:
    told = model.generation_config.eos_token_id
    ends = told if isinstance(told, list) else [told]
    return frozenset(int(end) for end in (*ends, tokenizer.eos_token_id) if end is not None)
