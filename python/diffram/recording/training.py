"""The training workload: noise prediction with AdamW, fp32."""

from __future__ import annotations

import os
from functools import partial

import torch
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from diffram.recording import models
from diffram.recording.capture_block import capture
from diffram.recording.fake_model import fake_tensor


def capture_training(
    path: str | os.PathLike[str] | None,
    *,
    batch: int,
    network: str = "sd14-unet",
    checkpointing: str = "off",
    optimizer: str = "fused",
    attention: str = "eager",
    steps: int = 3,
) -> capture:
    """Captures optimizer steps of a UNet: forward, backward, optimizer.

    The first step makes AdamW's state; later steps are equal and fold.
    checkpointing: "off", "non-reentrant" (diffusers' default) or "reentrant".
    optimizer: "fused", "foreach" or "loop".
    """
    unet = models.unet(network, dtype=torch.float32, attention=attention)
    unet.train()
    if checkpointing == "non-reentrant":
        unet.enable_gradient_checkpointing()
    elif checkpointing == "reentrant":
        unet.enable_gradient_checkpointing(partial(checkpoint, use_reentrant=True))
    settings = models.settings(network)
    size, width = settings["sample_size"], settings["cross_attention_dim"]
    latents = fake_tensor((batch, settings["in_channels"], size, size))
    noise = fake_tensor(latents.shape)
    text = fake_tensor((batch, 77, width))
    times = torch.zeros(batch, dtype=torch.int64)
    adamw = torch.optim.AdamW(
        unet.parameters(), lr=1e-4, fused=optimizer == "fused", foreach=optimizer == "foreach"
    )
    recording = capture(path, batch=batch)
    recording.track(unet, "unet")
    recording.mark(latents, times, text, noise, as_="input")
    recording.optimizer(adamw)
    with recording:
        for _ in range(steps):
            recording.enter_phase("forward")
            predicted = unet(latents, times, text).sample
            loss = functional.mse_loss(predicted.float(), noise.float())
            recording.enter_phase("backward")
            loss.backward()
            del predicted, loss
            recording.enter_phase("optimizer")
            adamw.step()
            adamw.zero_grad(set_to_none=True)
            recording.step()
    return recording
