"""Makes a FLUX pipeline of tiny random parts: all of FLUX.1 [schnell] but its size and its sense.

Real classes, formats and step schedule; 4 MB; the same bytes each time. Its pictures are noise.
Needs the environment of the engines (torch, diffusers). Usage: ``make_flux.py FOLDER``.
"""

import string
import sys
from pathlib import Path

import torch
from diffusers import (
    AutoencoderKL,
    FlowMatchEulerDiscreteScheduler,
    FluxPipeline,
    FluxTransformer2DModel,
)
from tokenizers.pre_tokenizers import ByteLevel
from transformers import (
    CLIPTextConfig,
    CLIPTextModel,
    CLIPTokenizer,
    T5Config,
    T5EncoderModel,
    T5Tokenizer,
)

SEED = 20_260_101
WIDTH = 32
"""Hidden size of both text encoders."""
T5_ALPHABET = string.ascii_letters + string.digits + string.punctuation + "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ"
WORD_START = "▁"


def make_transformer() -> FluxTransformer2DModel:
    """One double and one single block; 16 channels are 4 latent channels in patches of 2 × 2."""
    return FluxTransformer2DModel(
        patch_size=1,
        in_channels=16,
        num_layers=1,
        num_single_layers=1,
        attention_head_dim=16,
        num_attention_heads=2,
        joint_attention_dim=WIDTH,
        pooled_projection_dim=WIDTH,
        guidance_embeds=False,
        axes_dims_rope=(4, 4, 8),
    )


def make_autoencoder() -> AutoencoderKL:
    """Four stages: a latent pixel is 8 × 8 pixels, and sizes go by 16, as in the original."""
    return AutoencoderKL(
        in_channels=3,
        out_channels=3,
        down_block_types=("DownEncoderBlock2D",) * 4,
        up_block_types=("UpDecoderBlock2D",) * 4,
        block_out_channels=(8, 8, 8, 8),
        layers_per_block=1,
        latent_channels=4,
        norm_num_groups=4,
        use_quant_conv=False,
        use_post_quant_conv=False,
        shift_factor=0.0609,
        scaling_factor=1.5035,
    )


def make_clip_tokenizer() -> CLIPTokenizer:
    """Every byte is a token, at a word's end or within it."""
    letters = sorted(ByteLevel.alphabet())
    pieces = [*letters, *(f"{letter}</w>" for letter in letters)]
    pieces += ["<|startoftext|>", "<|endoftext|>"]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    return CLIPTokenizer(vocab=vocabulary, merges=[], model_max_length=77)


def make_t5_tokenizer() -> T5Tokenizer:
    """Every letter is a token."""
    pieces = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), (WORD_START, -2.0)]
    pieces += [(letter, -3.0) for letter in T5_ALPHABET]
    return T5Tokenizer(vocab=pieces, extra_ids=0, additional_special_tokens=[])


def make_clip(tokenizer: CLIPTokenizer) -> CLIPTextModel:
    """The encoder whose pooled output conditions every block."""
    config = CLIPTextConfig(
        vocab_size=len(tokenizer),
        hidden_size=WIDTH,
        intermediate_size=WIDTH,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=77,
        projection_dim=WIDTH,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return CLIPTextModel(config)


def make_t5(tokenizer: T5Tokenizer) -> T5EncoderModel:
    """The encoder that carries the words."""
    config = T5Config(
        vocab_size=len(tokenizer),
        d_model=WIDTH,
        d_ff=WIDTH,
        d_kv=16,
        num_layers=1,
        num_heads=2,
        feed_forward_proj="gated-gelu",
    )
    return T5EncoderModel(config)


def main(folder: str) -> None:
    """Write the pipeline into ``folder``."""
    torch.manual_seed(SEED)
    clip_tokenizer, t5_tokenizer = make_clip_tokenizer(), make_t5_tokenizer()
    pipeline = FluxPipeline(
        transformer=make_transformer(),
        vae=make_autoencoder(),
        text_encoder=make_clip(clip_tokenizer),
        text_encoder_2=make_t5(t5_tokenizer),
        tokenizer=clip_tokenizer,
        tokenizer_2=t5_tokenizer,
        scheduler=FlowMatchEulerDiscreteScheduler(shift=1.0),
    )
    pipeline.save_pretrained(Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
