"""The networks that ship as workloads, from their diffusers settings, without weights."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import torch
from diffusers import AutoencoderKL, UNet2DConditionModel
from diffusers.models.attention_processor import AttnProcessor, AttnProcessor2_0
from transformers import CLIPTextConfig, CLIPTextModel

from diffram.recording.fake_model import fake

#: Sizes of the networks; `specs/models/` lies beside `python/` in the repository.
MODELS_DIRECTORY = Path(__file__).resolve().parents[3] / "specs" / "models"


@cache
def settings(name: str) -> dict[str, Any]:
    """The settings file `specs/models/<name>.json`."""
    loaded: dict[str, Any] = json.loads((MODELS_DIRECTORY / f"{name}.json").read_text("utf-8"))
    return loaded


def unet(
    name: str = "sd14-unet", *, dtype: torch.dtype, attention: str = "eager"
) -> UNet2DConditionModel:
    """The UNet. attention "eager" materialises the scores (AttnProcessor), "sdpa" fuses them."""
    model = fake(lambda: UNet2DConditionModel(**settings(name)), dtype=dtype)
    model.set_attn_processor(AttnProcessor() if attention == "eager" else AttnProcessor2_0())
    return model.eval()


def vae(*, dtype: torch.dtype) -> AutoencoderKL:
    return fake(lambda: AutoencoderKL(**settings("sd14-vae")), dtype=dtype).eval()


def text_encoder(*, dtype: torch.dtype) -> CLIPTextModel:
    configuration = CLIPTextConfig(**settings("sd14-text-encoder"))
    return fake(lambda: CLIPTextModel(configuration), dtype=dtype).eval()
