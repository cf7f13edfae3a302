"""LoRA, mixed precision, EMA and accumulation have the figures of capture_facts.json."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest
import torch
from case_figures import Case, differences, find_case, training_figures
from diffusers import UNet2DConditionModel
from diffusers.models.attention_processor import AttnProcessor
from diffusers.training_utils import EMAModel
from peft import LoraConfig
from torch.nn import functional

from diffram.recording import models
from diffram.recording.capture_block import capture
from diffram.recording.fake_model import fake, fake_tensor

pytestmark = pytest.mark.filterwarnings("ignore::diffram.recording.capture_checks.CaptureWarning")

VARIANTS: dict[str, dict[str, Any]] = {
    "sd14_train_lora_r4": {"lora": True, "foreach": True},
    "sd14_train_amp_fp16_gradscaler": {"amp": torch.float16, "foreach": True},
    "sd14_train_amp_bf16": {"amp": torch.bfloat16, "foreach": True},
    "sd14_train_ema_loop": {"ema": "loop"},
    "sd14_train_ema_foreach": {"ema": "foreach"},
    "sd14_train_accum2": {"micro_batches": 2},
}


def lora_unet() -> UNet2DConditionModel:
    unet = UNet2DConditionModel(**models.settings("sd14-unet"))
    unet.set_attn_processor(AttnProcessor())
    unet.requires_grad_(False)
    targets = ["to_q", "to_k", "to_v", "to_out.0"]
    unet.add_adapter(LoraConfig(r=4, lora_alpha=4, target_modules=targets))
    return unet


class Training:
    """Two optimizer steps of one variant."""

    def __init__(
        self,
        *,
        lora: bool = False,
        amp: torch.dtype | None = None,
        ema: str = "",
        foreach: bool = False,
        micro_batches: int = 1,
    ) -> None:
        self.unet = fake(lora_unet) if lora else models.unet(dtype=torch.float32)
        self.unet.train()
        trained = [p for p in self.unet.parameters() if p.requires_grad]
        self.adamw = torch.optim.AdamW(trained, lr=1e-4, foreach=foreach, fused=not foreach)
        self.ema = EMAModel(trained, foreach=ema == "foreach") if ema else None
        self.scaler = torch.amp.GradScaler("cpu") if amp is torch.float16 else None
        self.amp = amp
        self.micro_batches = micro_batches
        self.latents, self.noise = fake_tensor((1, 4, 64, 64)), fake_tensor((1, 4, 64, 64))
        self.text, self.times = fake_tensor((1, 77, 768)), torch.zeros(1, dtype=torch.int64)

    def inputs(self) -> Iterator[torch.Tensor]:
        yield from (self.latents, self.times, self.text, self.noise)

    def run(self) -> capture:
        recording = capture(None, batch=1)
        recording.track(self.unet, "unet")
        recording.mark(*self.inputs(), as_="input")
        recording.optimizer(self.adamw)
        if self.ema:
            recording.mark(self.ema.shadow_params, as_="ema")
        with recording:
            for _ in range(2):
                for _ in range(self.micro_batches):
                    self._gradients(recording)
                recording.enter_phase("optimizer")
                self._optimize()
                if self.ema:
                    recording.enter_phase("ema")
                    self.ema.step(self.adamw.param_groups[0]["params"])
                self.adamw.zero_grad(set_to_none=True)
                recording.step()
        return recording

    def _gradients(self, recording: capture) -> None:
        recording.enter_phase("forward")
        with self._precision():
            predicted = self.unet(self.latents, self.times, self.text).sample
            loss = functional.mse_loss(predicted.float(), self.noise.float())
        recording.enter_phase("backward")
        scale: Callable[[torch.Tensor], torch.Tensor] = (
            self.scaler.scale if self.scaler else (lambda value: value)
        )
        torch.autograd.backward(scale(loss))

    def _precision(self) -> AbstractContextManager[Any]:
        return torch.autocast("cpu", dtype=self.amp) if self.amp else nullcontext()

    def _optimize(self) -> None:
        if self.scaler is None:
            self.adamw.step()
            return
        self.scaler.step(self.adamw)
        self.scaler.update()


@pytest.mark.parametrize("name", VARIANTS)
def test_variant_has_the_reference_figures(cases: list[Case], name: str) -> None:
    found = training_figures(Training(**VARIANTS[name]).run())
    assert differences(find_case(cases, name, 1), found) == []
