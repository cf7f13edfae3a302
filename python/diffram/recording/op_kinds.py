"""Which kernel family an ATen op belongs to, and the attributes its lowering needs.

The families are those of the lowering (`docs/tensor-trace.md`, "Kinds"). An op
that is in no list is `other`: the reader then uses its fallback and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

_KIND_OF: dict[str, str] = {}


def _family(kind: str, names: str) -> None:
    _KIND_OF.update(dict.fromkeys(names.split(), kind))


_family(
    "conv",
    "convolution _convolution convolution_overrideable cudnn_convolution convolution_backward"
    " _slow_conv2d_forward mkldnn_convolution",
)
_family("mm", "mm addmm bmm baddbmm addmv mv dot vdot addbmm _scaled_mm")
_family(
    "attn",
    "_scaled_dot_product_flash_attention _scaled_dot_product_flash_attention_backward"
    " _scaled_dot_product_efficient_attention _scaled_dot_product_efficient_attention_backward"
    " _scaled_dot_product_cudnn_attention _scaled_dot_product_cudnn_attention_backward"
    " _scaled_dot_product_flash_attention_for_cpu"
    " _scaled_dot_product_flash_attention_for_cpu_backward"
    " _scaled_dot_product_fused_attention_overrideable"
    " _flash_attention_forward _flash_attention_backward"
    " _efficient_attention_forward _efficient_attention_backward",
)
_family(
    "softmax",
    "_softmax _softmax_backward_data _log_softmax _log_softmax_backward_data _safe_softmax",
)
_family(
    "norm",
    "native_group_norm native_group_norm_backward native_layer_norm native_layer_norm_backward"
    " native_batch_norm native_batch_norm_backward _native_batch_norm_legit cudnn_batch_norm"
    " _fused_rms_norm _fused_rms_norm_backward",
)
_family(
    "elt",
    "add add_ sub sub_ rsub mul mul_ div div_ neg neg_ abs pow pow_ sqrt sqrt_ rsqrt exp exp_ log"
    " sin cos tanh tanh_backward sigmoid sigmoid_ sigmoid_backward silu silu_ silu_backward gelu"
    " gelu_backward relu relu_ threshold_backward leaky_relu leaky_relu_backward elu hardtanh"
    " clamp clamp_ clamp_min clamp_min_ clamp_max maximum minimum where addcmul addcmul_ addcdiv"
    " addcdiv_ lerp lerp_ reciprocal reciprocal_ erf sign round floor ceil trunc remainder fmod"
    " eq ne lt le gt ge logical_not logical_and logical_or bitwise_and bitwise_or bitwise_not"
    " masked_fill masked_fill_ fill fill_ zero_ zeros zeros_like ones ones_like full full_like"
    " new_zeros new_ones new_full scalar_tensor arange linspace native_dropout"
    " native_dropout_backward bernoulli bernoulli_ mse_loss_backward l1_loss smooth_l1_loss"
    " huber_loss triu tril normal_ uniform_ randn rand randint randn_like rand_like exponential_"
    " random_ isnan isinf isfinite nan_to_num log1p expm1 square atan2 glu glu_backward mish"
    " mish_backward softplus softplus_backward _amp_foreach_non_finite_check_and_unscale_"
    " eye rand_like randperm normal xlogy xlogy_ sgn special_expm1 erfinv_ copysign",
)
_family(
    "reduce",
    "sum mean prod amax amin max min argmax argmin var std var_mean std_mean norm"
    " linalg_vector_norm any all cumsum cumprod mse_loss nll_loss_forward nll_loss_backward"
    " logsumexp avg_pool2d avg_pool2d_backward _adaptive_avg_pool2d"
    " _adaptive_avg_pool2d_backward max_pool2d_with_indices max_pool2d_with_indices_backward"
    " upsample_nearest2d_backward upsample_nearest1d_backward upsample_bilinear2d_backward",
)
_family(
    "copy",
    "clone copy_ copy _to_copy contiguous repeat roll flip constant_pad_nd constant_pad_nd_backward"
    " reflection_pad2d replication_pad2d slice_backward select_backward"
    " upsample_nearest2d upsample_nearest1d upsample_bilinear2d upsample_bicubic2d"
    " lift _reshape_copy select_scatter slice_scatter as_strided_scatter set_ pixel_shuffle"
    " _local_scalar_dense",
)
_family("cat", "cat stack _chunk_cat")
_family(
    "gather",
    "embedding embedding_dense_backward index index_put index_put_ _unsafe_index"
    " _unsafe_index_put index_select index_add index_add_ gather scatter scatter_ scatter_add"
    " scatter_add_ take _index_put_impl_ masked_select nonzero bucketize searchsorted sort topk",
)


def kind_of(packet: str) -> str:
    """Family of an ATen op by its name without overload."""
    if packet.startswith(("_foreach_", "_fused_ada", "_fused_sgd")):
        return "opt"
    return _KIND_OF.get(packet, "other")


Arguments = Mapping[str, Any]


def attributes_of(packet: str, kind: str, arguments: Arguments) -> dict[str, Any]:
    """What the lowering of one call needs beyond its tensor uses; keys are sorted by the table."""
    build = _ATTRIBUTES.get(packet) or _ATTRIBUTES_OF_KIND.get(kind)
    return build(arguments) if build else {}


def _convolution(arguments: Arguments) -> dict[str, Any]:
    spatial = max(1, arguments["weight"].dim() - 2)
    attributes: dict[str, Any] = {
        "stride": _spread(arguments["stride"], spatial),
        "pad": _spread(arguments["padding"], spatial),
        "dilation": _spread(arguments["dilation"], spatial),
        "groups": int(arguments.get("groups", 1)),
        "transposed": bool(arguments.get("transposed", False)),
    }
    output_padding = _spread(arguments.get("output_padding", [0]), spatial)
    if any(output_padding):
        attributes["output_pad"] = output_padding
    mask = arguments.get("output_mask")
    if mask is not None:
        attributes["mask"] = [bool(flag) for flag in mask]
    return attributes


def _spread(values: Sequence[int], count: int) -> list[int]:
    numbers = [int(value) for value in values]
    return numbers * count if len(numbers) == 1 else numbers


def _matrix(left: str, right: str) -> Callable[[Arguments], dict[str, Any]]:
    def build(arguments: Arguments) -> dict[str, Any]:
        a, b = arguments[left].shape, arguments[right].shape
        batch = int(a[0]) if len(a) == 3 else 1
        columns = int(b[-1]) if len(b) > 1 else 1
        rows = int(a[-2]) if len(a) > 1 else 1
        attributes: dict[str, Any] = {"gemm": [batch, rows, columns, int(a[-1])]}
        if "self" in arguments and left != "self":
            attributes["beta"] = _number(arguments.get("beta", 1))
            attributes["alpha"] = _number(arguments.get("alpha", 1))
        return attributes

    return build


def _number(value: Any) -> float:
    return float(value)


def _attention(arguments: Arguments) -> dict[str, Any]:
    query, key = arguments["query"].shape, arguments["key"].shape
    head = int(query[-1])
    scale = arguments.get("scale")
    return {
        "attn": [int(query[0]), int(query[1]), int(query[-2]), int(key[-2]), head],
        "causal": bool(arguments.get("is_causal", False)),
        "scale": float(scale) if scale is not None else head**-0.5,
        "dropout": float(arguments.get("dropout_p", 0.0)),
    }


def _softmax(arguments: Arguments) -> dict[str, Any]:
    tensor = arguments.get("self")
    if tensor is None:
        tensor = arguments["grad_output"]
    return {"dim": int(arguments["dim"]) % max(1, tensor.dim())}


def _softmax_backward(arguments: Arguments) -> dict[str, Any]:
    return {"dim": int(arguments["dim"]) % max(1, arguments["grad_output"].dim())}


def _group_norm(arguments: Arguments) -> dict[str, Any]:
    attributes: dict[str, Any] = {"groups": int(arguments["group"])}
    return _with_mask(attributes, arguments)


def _layer_norm(arguments: Arguments) -> dict[str, Any]:
    return _with_mask({"axes": len(arguments["normalized_shape"])}, arguments)


def _with_mask(attributes: dict[str, Any], arguments: Arguments) -> dict[str, Any]:
    if "output_mask" in arguments:
        attributes["mask"] = [bool(flag) for flag in arguments["output_mask"]]
    return attributes


def _reduction(arguments: Arguments) -> dict[str, Any]:
    tensor = arguments.get("self")
    dims = arguments.get("dim")
    rank = 0 if tensor is None else tensor.dim()
    if dims is None or dims == []:
        return {"dims": list(range(rank))}
    listed = dims if isinstance(dims, (list, tuple)) else [dims]
    return {"dims": sorted(int(dim) % max(1, rank) for dim in listed)}


def _concatenation(arguments: Arguments) -> dict[str, Any]:
    rank = max(tensor.dim() for tensor in arguments["tensors"])
    return {"dim": int(arguments.get("dim", 0)) % max(1, rank)}


def _stacking(arguments: Arguments) -> dict[str, Any]:
    return {"dim": int(arguments.get("dim", 0)) % (arguments["tensors"][0].dim() + 1)}


def _embedding(arguments: Arguments) -> dict[str, Any]:
    return {"dim": 0, "rows": int(arguments["indices"].numel())}


def _indexing(arguments: Arguments) -> dict[str, Any]:
    indexed = [axis for axis, index in enumerate(arguments["indices"]) if index is not None]
    rows = max((int(i.numel()) for i in arguments["indices"] if i is not None), default=0)
    return {"dim": indexed[0] if indexed else 0, "rows": rows}


def _optimizer(arguments: Arguments) -> dict[str, Any]:
    attributes: dict[str, Any] = {}
    if "amsgrad" in arguments:
        attributes["amsgrad"] = bool(arguments["amsgrad"])
        attributes["grad_scale"] = arguments.get("grad_scale") is not None
    return attributes


_ATTRIBUTES: dict[str, Callable[[Arguments], dict[str, Any]]] = {
    "convolution": _convolution,
    "_convolution": _convolution,
    "convolution_backward": _convolution,
    "mm": _matrix("self", "mat2"),
    "addmm": _matrix("mat1", "mat2"),
    "bmm": _matrix("self", "mat2"),
    "baddbmm": _matrix("batch1", "batch2"),
    "_softmax": _softmax,
    "_safe_softmax": _softmax,
    "_log_softmax": _softmax,
    "_softmax_backward_data": _softmax_backward,
    "_log_softmax_backward_data": _softmax_backward,
    "native_group_norm": _group_norm,
    "native_group_norm_backward": _group_norm,
    "native_layer_norm": _layer_norm,
    "native_layer_norm_backward": _layer_norm,
    "sum": _reduction,
    "mean": _reduction,
    "argmax": _reduction,
    "argmin": _reduction,
    "var_mean": _reduction,
    "amax": _reduction,
    "amin": _reduction,
    "mse_loss": _reduction,
    "linalg_vector_norm": _reduction,
    "cat": _concatenation,
    "stack": _stacking,
    "embedding": _embedding,
    "embedding_dense_backward": _embedding,
    "index": _indexing,
    "index_put_": _indexing,
}
_ATTRIBUTES_OF_KIND: dict[str, Callable[[Arguments], dict[str, Any]]] = {
    "attn": _attention,
    "opt": _optimizer,
}
