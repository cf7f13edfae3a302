"""Captures have the figures of capture_facts.json, to the byte."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from case_figures import (
    Case,
    differences,
    dispatched,
    find_case,
    forward_figures,
    sums,
    training_figures,
)

from diffram.recording import figures, models
from diffram.recording.capture_block import capture
from diffram.recording.fake_model import fake_tensor
from diffram.recording.sampling import capture_sampling
from diffram.recording.training import capture_training

pytestmark = [
    pytest.mark.filterwarnings("ignore::diffram.recording.capture_checks.CaptureWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]


#: Case name, batch, dtype: how the network attends and what rewrites its attention.
FORWARD_CASES = {
    **{
        (f"sd14_unet_fwd_{attention}", batch, "float16"): (attention, "as-written", "")
        for attention in ("eager", "sdpa")
        for batch in (1, 2, 3, 4)
    },
    ("sd14_unet_fwd_eager", 1, "float32"): ("eager", "as-written", ""),
    ("sd14_unet_fwd_sdpa", 1, "float32"): ("sdpa", "as-written", ""),
    ("sd14_unet_fwd_sdpa_flash", 2, "float16"): ("sdpa", "flash", ""),
    ("sd14_unet_fwd_sdpa_efficient", 2, "float16"): ("sdpa", "efficient", ""),
    ("sd14_unet_fwd_sdpa_cudnn", 2, "float16"): ("sdpa", "cudnn", ""),
    ("sd14_unet_fwd_slice_auto", 2, "float16"): ("eager", "as-written", "auto"),
    ("sd14_unet_fwd_slice_max", 2, "float16"): ("eager", "as-written", "max"),
    ("sd14_unet_fwd_eager_inference_mode", 2, "float16"): ("eager", "as-written", "inference"),
    ("tiny_unet_fwd_eager", 2, "float32"): ("eager", "as-written", ""),
    ("tiny_unet_fwd_sdpa", 2, "float32"): ("sdpa", "as-written", ""),
}

TRAINING_CASES: dict[tuple[str, int], dict[str, str]] = {
    ("sd14_train_adamw_fused", 1): {},
    ("sd14_train_adamw_fused_b2", 2): {},
    ("sd14_train_adamw_fused_b4", 4): {},
    ("sd14_train_adamw_foreach", 1): {"optimizer": "foreach"},
    ("sd14_train_adamw_loop", 1): {"optimizer": "loop"},
    ("sd14_train_sdpa_adamw_fused", 1): {"attention": "sdpa"},
    ("sd14_train_ckpt_nonreentrant", 1): {"checkpointing": "non-reentrant"},
    ("sd14_train_ckpt_reentrant", 1): {"checkpointing": "reentrant"},
    ("tiny_train_adamw_fused", 2): {"network": "tiny-unet"},
    ("tiny_train_ckpt_nonreentrant", 2): {
        "network": "tiny-unet",
        "checkpointing": "non-reentrant",
    },
}


def parameters(network: torch.nn.Module) -> int:
    return sum(parameter.numel() for parameter in network.parameters())


def test_every_case_of_the_reference_with_our_prefixes_is_listed(cases: list[Case]) -> None:
    listed = {name for name, *_ in FORWARD_CASES} | {name for name, _ in TRAINING_CASES}
    listed |= {"sd14_ddim50_pipeline_eager", "sd14_ddim50_pipeline_sdpa"}
    prefixes = ("sd14_unet_fwd_", "sd14_ddim50_", "sd14_train_adamw_", "sd14_train_ckpt_", "tiny_")
    wanted = {case["case"] for case in cases if case["case"].startswith(prefixes)}
    assert wanted <= listed


@pytest.mark.parametrize("key", FORWARD_CASES, ids=lambda key: "-".join(map(str, key)))
def test_forward_capture_has_the_reference_figures(
    cases: list[Case], key: tuple[str, int, str]
) -> None:
    name, batch, dtype_name = key
    attention, rewrite, variant = FORWARD_CASES[key]
    dtype = getattr(torch, dtype_name)
    network = "tiny-unet" if name.startswith("tiny") else "sd14-unet"
    unet = models.unet(network, dtype=dtype, attention=attention)
    if variant in ("auto", "max"):
        unet.set_attention_slice(variant)
    settings = models.settings(network)
    size, width = settings["sample_size"], settings["cross_attention_dim"]
    latents = fake_tensor((batch, 4, size, size), dtype)
    text = fake_tensor((batch, 77, width), dtype)
    no_gradients = torch.inference_mode if variant == "inference" else torch.no_grad
    with capture(None, batch=batch, attention=rewrite) as recording:
        recording.track(unet, name="unet")
        recording.mark(latents, text, as_="input")
        with no_gradients():
            predicted = unet(latents, 1, text).sample
    del predicted
    found = {"params": parameters(unet), **forward_figures(recording)}
    assert differences(find_case(cases, name, batch, dtype_name), found) == []


@pytest.mark.parametrize("key", TRAINING_CASES, ids=lambda key: f"{key[0]}-{key[1]}")
def test_training_capture_has_the_reference_figures(
    cases: list[Case], key: tuple[str, int]
) -> None:
    name, batch = key
    recording = capture_training(None, batch=batch, steps=2, **TRAINING_CASES[key])
    found = training_figures(recording)
    assert differences(find_case(cases, name, batch), found) == []


@pytest.mark.parametrize(
    ("name", "build", "sizes"),
    [
        ("vae_decode_512", models.vae, (1, 4, 64, 64)),
        ("vae_encode_512", models.vae, (1, 3, 512, 512)),
    ],
)
def test_vae_has_the_reference_figures(
    cases: list[Case], name: str, build: Any, sizes: tuple[int, ...]
) -> None:
    vae = build(dtype=torch.float16)
    given = fake_tensor(sizes, torch.float16)
    with capture(None, vae, batch=1) as recording:
        recording.mark(given, as_="input")
        with torch.no_grad():
            made = vae.decode(given) if name == "vae_decode_512" else vae.encode(given)
    del made
    found = {"params": parameters(vae), **forward_figures(recording)}
    assert differences(find_case(cases, name, 1), found) == []


def test_text_encoder_has_the_reference_figures(cases: list[Case]) -> None:
    encoder = models.text_encoder(dtype=torch.float16)
    tokens = fake_tensor((2, 77), torch.int64)
    with capture(None, encoder, batch=2) as recording:
        recording.mark(tokens, as_="input")
        with torch.no_grad():
            made = encoder(tokens)
    del made
    found = {"params": parameters(encoder), **forward_figures(recording)}
    assert differences(find_case(cases, "clip_vit_l14_text", 2), found) == []


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
def test_ddim_pipeline_has_the_reference_figures(cases: list[Case], attention: str) -> None:
    recording = capture_sampling(None, attention=attention, with_text_encoder=False)
    trace = recording.trace
    assert trace is not None
    case = find_case(cases, f"sd14_ddim50_pipeline_{attention}", 2)
    whole = figures.Sums()
    for phase in ("text_encoder", "sampling", "vae_decode"):
        whole.merge(figures.total_of_phase(trace, phase))
    middle = figures.step_figures(trace.tables, trace.steps[2])
    found = {
        "ops": dispatched(recording),
        **sums(whole),
        "one_middle_step": {"ops": dispatched(recording, 25), **sums(middle.total)},
        "vae_decode_and_postprocess": {
            "ops": dispatched(recording, phase="vae_decode"),
            **sums(figures.total_of_phase(trace, "vae_decode")),
        },
        "unet_of_middle_step": {
            "ops": case["unet_of_middle_step"]["ops"],
            **sums(_unet_sums(recording)),
        },
    }
    assert differences(case, found) == []
    assert trace.steps[2].runs == 49


def _unet_sums(recording: capture) -> figures.Sums:
    trace = recording.trace
    assert trace is not None
    total = figures.Sums()
    for event in trace.steps[2].events:
        module = getattr(event, "module", -1)
        if module >= 0 and trace.tables.modules[module].path.split(".")[0] == "unet":
            total.add(event)  # type: ignore[arg-type]
    return total
