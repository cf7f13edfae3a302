"""The sampling workload: StableDiffusionPipeline as published, steps marked from outside."""

from __future__ import annotations

import os
from types import SimpleNamespace, TracebackType
from typing import Any

import torch
from diffusers import DDIMScheduler, StableDiffusionPipeline
from diffusers.image_processor import VaeImageProcessor

from diffram.recording import models
from diffram.recording.capture_block import capture
from diffram.recording.fake_model import fake_tensor

#: Token positions and width of CLIP ViT-L/14's text output.
TEXT_TOKENS, TEXT_WIDTH = 77, 768


class FixedTokens:
    """Stands in for the tokenizer: shapes are all that a capture needs of a prompt."""

    model_max_length = TEXT_TOKENS

    def tokenize(self, _prompt: str) -> list[str]:
        return []

    def __call__(self, prompt: Any, **_: Any) -> SimpleNamespace:
        count = len(prompt) if isinstance(prompt, list) else 1
        ids = torch.zeros((count, TEXT_TOKENS), dtype=torch.int64)
        return SimpleNamespace(input_ids=ids, attention_mask=torch.ones_like(ids))


class StepMarks:
    """Takes the place of the pipeline's progress bar, which knows where steps end."""

    def __init__(self, recording: capture) -> None:
        self._recording = recording

    def __enter__(self) -> StepMarks:
        self._recording.step()
        self._recording.enter_phase("sampling")
        return self

    def update(self, _count: int = 1) -> None:
        self._recording.step()

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _where: TracebackType | None,
    ) -> None:
        self._recording.enter_phase("vae_decode")


class MarkedPipeline(StableDiffusionPipeline):  # type: ignore[misc]
    """The pipeline with its steps told to a recording; nothing else is changed."""

    recording: capture

    def progress_bar(self, iterable: Any = None, total: int | None = None) -> StepMarks:
        return StepMarks(self.recording)


class WholeBatchProcessor(VaeImageProcessor):  # type: ignore[misc]
    """Post-processing of all images in one go.

    As published, each image is denormalised by itself: the number of ops then
    depends on the number of images, and one trace cannot stand for all of them.
    """

    def postprocess(
        self, image: torch.Tensor, output_type: str = "pt", do_denormalize: Any = None
    ) -> Any:
        return super().postprocess(image, output_type=output_type)


def ddim_scheduler() -> DDIMScheduler:
    """The noise schedule that Stable Diffusion 1.4 was trained with."""
    return DDIMScheduler(
        beta_start=0.00085,
        beta_end=0.012,
        beta_schedule="scaled_linear",
        clip_sample=False,
        set_alpha_to_one=False,
        steps_offset=1,
    )


def capture_sampling(
    path: str | os.PathLike[str] | None,
    *,
    steps: int = 50,
    images: int = 1,
    attention: str = "eager",
    with_text_encoder: bool = True,
) -> capture:
    """Captures fp16 sampling of `images` 512 x 512 images, guidance 7.5, decoded by the VAE.

    Phases: `text_encoder` (prompts, time steps, first latents), `sampling`
    (one step each), `vae_decode`. Without the text encoder the embeddings are
    given, as in the reference figures. More than one image is post-processed at once.
    """
    half = torch.float16
    networks = {
        "unet": models.unet(dtype=half, attention=attention),
        "vae": models.vae(dtype=half),
        **({"text_encoder": models.text_encoder(dtype=half)} if with_text_encoder else {}),
    }
    pipeline = MarkedPipeline(
        vae=networks["vae"],
        text_encoder=networks.get("text_encoder"),
        tokenizer=FixedTokens() if with_text_encoder else None,
        unet=networks["unet"],
        scheduler=ddim_scheduler(),
        safety_checker=None,
        feature_extractor=None,
        requires_safety_checker=False,
    )
    recording = capture(path, batch=2 * images, images=images)
    pipeline.recording = recording
    if images > 1:
        pipeline.image_processor = WholeBatchProcessor(vae_scale_factor=pipeline.vae_scale_factor)
    for name, network in networks.items():
        recording.track(network, name)
    request: dict[str, Any] = {"prompt": [""] * images}
    if not with_text_encoder:
        shape = (images, TEXT_TOKENS, TEXT_WIDTH)
        request = {
            "prompt_embeds": fake_tensor(shape, half),
            "negative_prompt_embeds": fake_tensor(shape, half),
        }
        recording.mark(*request.values(), as_="input")
    with recording:
        recording.enter_phase("text_encoder")
        result = pipeline(
            **request, num_inference_steps=steps, guidance_scale=7.5, output_type="pt"
        )
        recording.step()
    del result
    return recording
