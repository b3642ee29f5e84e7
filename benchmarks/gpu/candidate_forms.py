"""The operators of the UNet and the VAE for candidates.py, each in today's form and in others."""
import contextlib
import dataclasses
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

import dependent_launch


@dataclasses.dataclass
class Case:
    group: str
    shape: str
    make: object  # gives a namespace of tensors
    forms: dict  # by name: a function of such tensors, which gives a tensor or several; today's form first
    launches: dict = dataclasses.field(default_factory=dict)  # by place; without the shared prefix, which computes a few on half of the batch
    flop: int = 0
    bytes: int = 0
    unlike: tuple = ()  # forms whose numbers are others


# How fast the card is: its best product and copy, and what a kernel costs in a graph.
def ceilings(place):
    def dependent(t):
        for _ in range(50):
            t.x.add_(1)
        return t.x
    side, numbers = place.sized(8192, 128 << 20)
    yield Case("ceilings", "50 small kernels, each after the other", lambda: SimpleNamespace(x=place.random(16)), {"as it is": dependent})
    yield Case("ceilings", f"matrix product of {side}", lambda: SimpleNamespace(a=place.random(side, side), b=place.weight(side, side)),
               {"as it is": lambda t: t.a @ t.b}, flop=2 * side**3)
    yield Case("ceilings", f"copy of {numbers} numbers", lambda: SimpleNamespace(a=place.random(numbers), b=place.random(numbers)),
               {"as it is": lambda t: t.b.copy_(t.a)}, bytes=4 * numbers)


def nearest(t):
    return F.interpolate(t.x, scale_factor=2, mode="nearest")


def copy_of_view(t):
    """As one copy of an expanded view. This is about what a kernel of our own takes."""
    n, c, h, w = t.x.shape
    pixels = t.x.permute(0, 2, 3, 1)[:, :, None, :, None]
    return pixels.expand(n, h, 2, w, 2, c).reshape(n, 2 * h, 2 * w, c).permute(0, 3, 1, 2)


def small_weights(weight):
    """3x3 after upsampling is another 2x2 for each of the four pixels that come of one: taps that read the same pixel are added."""
    wide = weight.float()
    rows = [torch.stack([wide[:, :, 0], wide[:, :, 1] + wide[:, :, 2]], 2), torch.stack([wide[:, :, 0] + wide[:, :, 1], wide[:, :, 2]], 2)]
    both = [(r[..., 0], r[..., 1] + r[..., 2], r[..., 0] + r[..., 1], r[..., 2]) for r in rows]
    four = [torch.stack(pair, 3) for a, b, c, d in both for pair in ((a, b), (c, d))]
    return torch.cat(four).to(weight.dtype).contiguous(memory_format=torch.channels_last)


def interleaved(parts):
    """parts[2 * i + j]: pixels of row i and column j of each square, with a row and a column too many. Four copies, which read and write no more than one."""
    n, c, height, width = parts[0].shape
    h, w = height - 1, width - 1
    out = torch.empty(n, h, 2, w, 2, c, dtype=parts[0].dtype, device=parts[0].device)
    for i in (0, 1):
        for j in (0, 1):
            out[:, :, i, :, j].copy_(parts[2 * i + j].permute(0, 2, 3, 1)[:, i:i + h, j:j + w])
    return out.view(n, 2 * h, 2 * w, c).permute(0, 3, 1, 2)


def four_small(t):
    return [F.conv2d(t.x, w, padding=1) for w in t.four.chunk(4)]


def upsampling(place):
    shapes = (  # images, channels, side, launches
        (1, 512, 128, {"sdxl decode": 1}), (1, 512, 256, {"sdxl decode": 1}), (1, 256, 512, {"sdxl decode": 1}),
        (2, 1280, 32, {"sdxl step": 1}), (2, 640, 64, {"sdxl step": 1}),
        (2, 1280, 8, {"sd15 step": 1}), (2, 1280, 16, {"sd15 step": 1}), (2, 640, 32, {"sd15 step": 1}),
        (1, 512, 64, {"sd15 decode": 1}), (1, 256, 256, {"sd15 decode": 1}))
    for n, c, s, launches in shapes:
        c, s = place.sized(c, s)

        def make(n=n, c=c, s=s):
            w = place.weight(c, c, 3, 3)
            return SimpleNamespace(x=place.image(n, c, s, s), w=w, four=small_weights(w))
        yield Case("upsampling", f"{n}x{c}x{s}x{s}", make, {"nearest2d": nearest, "copy of an expanded view": copy_of_view}, launches,
                   bytes=2 * 5 * n * c * s * s)
        yield Case("upsampling + 3x3", f"{n}x{c}x{s}x{s}", make, {
            "copy of an expanded view, 3x3": lambda t: F.conv2d(copy_of_view(t), t.w, padding=1),
            "four 2x2, interleaved": lambda t: interleaved(four_small(t)),
            "four 2x2, apart": four_small,
            "one 2x2 of four times the channels, interleaved": lambda t: interleaved(F.conv2d(t.x, t.four, padding=1).chunk(4, 1)),
            "one 2x2 of four times the channels, apart": lambda t: F.conv2d(t.x, t.four, padding=1),
        }, launches, 2 * 9 * n * c * c * 4 * s * s, unlike=("four 2x2, apart", "one 2x2 of four times the channels, apart"))


def patches_of(padded):
    n, height, width, c = padded.shape
    h, w = height - 2, width - 2
    down, right = padded.stride(1), padded.stride(2)
    return padded.as_strided((n, h, w, 3, 3, c), (padded.stride(0), down, right, down, right, 1)).reshape(n * h * w, 9 * c)


def small_convolutions(place):
    for i, o, s, count in ((1280, 1280, 8, 11), (2560, 1280, 8, 3), (1280, 1280, 16, 6), (2560, 1280, 16, 2), (1920, 1280, 16, 1)):
        i, o, s = place.sized(i, o, s)

        def make(i=i, o=o, s=s):
            x, w = place.image(2, i, s, s), place.weight(o, i, 3, 3)
            padded = F.pad(x.permute(0, 2, 3, 1), (0, 0, 1, 1, 1, 1)).contiguous()
            return SimpleNamespace(x=x, w=w, padded=padded, patches=patches_of(padded), rows=w.permute(0, 2, 3, 1).reshape(o, 9 * i))

        def as_image(product, s=s):
            return product.view(2, s, s, -1).permute(0, 3, 1, 2)
        yield Case("small convolutions", f"2x{i}x{s}x{s} to {o}", make, {
            "3x3": lambda t: F.conv2d(t.x, t.w, padding=1),
            "product of patches that the norm wrote": lambda t, as_image=as_image: as_image(F.linear(t.patches, t.rows)),
            "patches copied, product": lambda t, as_image=as_image: as_image(F.linear(patches_of(t.padded), t.rows)),
        }, {"sd15 step": count}, 2 * 9 * 2 * i * o * s * s)


def concatenations(place):
    shapes = (  # channels of both, of the answer, side, launches
        (1280, 1280, 1280, 32, {"sdxl step": 2}), (1280, 640, 1280, 32, {"sdxl step": 1}), (1280, 640, 640, 64, {"sdxl step": 1}),
        (640, 640, 640, 64, {"sdxl step": 1}), (640, 320, 640, 64, {"sdxl step": 1}), (640, 320, 320, 128, {"sdxl step": 1}),
        (320, 320, 320, 128, {"sdxl step": 2}),
        (1280, 1280, 1280, 8, {"sd15 step": 3}), (1280, 1280, 1280, 16, {"sd15 step": 2}), (1280, 640, 640, 32, {"sd15 step": 1}),
        (640, 320, 320, 64, {"sd15 step": 1}), (320, 320, 320, 64, {"sd15 step": 2}))
    for a, b, o, s, launches in shapes:
        a, b, o, s = place.sized(a, b, o, s)

        def make(a=a, b=b, o=o, s=s):
            return SimpleNamespace(a=place.image(2, a, s, s), b=place.image(2, b, s, s), w=place.weight(o, a + b))

        def joined(t):
            return F.linear(torch.cat([t.a, t.b], 1).permute(0, 2, 3, 1).flatten(0, 2), t.w)

        def apart(t):
            a, b = (x.permute(0, 2, 3, 1).flatten(0, 2) for x in (t.a, t.b))
            return (a @ t.w[:, :a.shape[1]].t()).addmm_(b, t.w[:, a.shape[1]:].t())
        yield Case("no cat", f"2x({a}+{b})x{s}x{s} to {o}", make, {"cat, 1x1": joined, "two products": apart}, launches)


@contextlib.contextmanager
def sums_in_fp16():
    torch.backends.cuda.matmul.allow_fp16_accumulation = True  # torch 2.7 has it
    try:
        yield
    finally:
        torch.backends.cuda.matmul.allow_fp16_accumulation = False


def with_sums_in_fp16(t):
    with sums_in_fp16():
        return F.linear(t.x, t.w, t.b)


def in_fp8_by_tensor(t):
    return torch._scaled_mm(t.x8, t.w8.t(), t.one, t.one, bias=t.b, out_dtype=t.x.dtype, use_fast_accum=t.x.is_cuda)


def in_fp8_by_rows(t):
    return torch._scaled_mm(t.x8, t.w8.t(), t.of_rows, t.of_columns, out_dtype=t.x.dtype, use_fast_accum=t.x.is_cuda)


def products(place):
    shapes = ((2048, 1280, 10240, 60), (2048, 5120, 1280, 60), (2048, 1280, 3840, 60), (2048, 1280, 1280, 60),
              (8192, 640, 5120, 10), (8192, 2560, 640, 10), (8192, 640, 1920, 10))
    for batch in (1, 4):
        for m, k, n, count in shapes:
            m, k, n = place.sized(batch * m, k, n)

            def make(m=m, k=k, n=n):
                x, w, eight = place.random(m, k), place.random(n, k), torch.float8_e4m3fn
                ones = {name: torch.ones(shape, device=place.device) for name, shape in (("one", ()), ("of_rows", (m, 1)), ("of_columns", (1, n)))}
                return SimpleNamespace(x=x, w=w, b=place.random(n), x8=x.to(eight), w8=w.to(eight), **ones)
            yield Case("products", f"{m}x{k}x{n}", make, {
                "16 bits": lambda t: F.linear(t.x, t.w, t.b), "sums in fp16": with_sums_in_fp16,
                "fp8, scaled by tensor": in_fp8_by_tensor, "fp8, scaled by rows, no bias": in_fp8_by_rows,
            }, {"sdxl step" if batch == 1 else f"sdxl step, batch {batch}": count}, 2 * m * k * n)


def residuals(place):
    shapes = ((2048, 1280, 1280, {"sdxl step": 120}), (2048, 5120, 1280, {"sdxl step": 60}), (8192, 640, 640, {"sdxl step": 20}),
              (8192, 2560, 640, {"sdxl step": 10}), (8192, 320, 320, {"sd15 step": 10}), (8192, 1280, 320, {"sd15 step": 5}),
              (2048, 640, 640, {"sd15 step": 10}), (512, 1280, 1280, {"sd15 step": 10}))
    for m, k, n, launches in shapes:
        m, k, n = place.sized(m, k, n)

        def make(m=m, k=k, n=n):
            return SimpleNamespace(x=place.random(m, k), w=place.weight(n, k), h=place.random(m, n))
        yield Case("residual", f"{m}x{k}x{n}", make, {
            "product, then sum": lambda t: F.linear(t.x, t.w).add_(t.h),
            "sum in the product": lambda t: t.h.addmm_(t.x, t.w.t()),
        }, launches, 2 * m * k * n)


def attend(parts, heads):
    q, k, v = (part.unflatten(-1, (heads, -1)).transpose(1, 2) for part in parts)
    return F.scaled_dot_product_attention(q, k, v)


def queries_keys_values(place):
    shapes = ((1024, 20, 64, {"sdxl step": 60}), (4096, 10, 64, {"sdxl step": 10}), (4096, 8, 40, {"sd15 step": 5}), (1024, 8, 80, {"sd15 step": 5}),
              (256, 8, 160, {"sd15 step": 5}))
    for tokens, heads, d, launches in shapes:
        tokens, heads, d = place.sized(tokens, heads, d)
        c = heads * d

        def make(tokens=tokens, c=c):
            three = place.weight(3 * c, c)
            return SimpleNamespace(x=place.random(2, tokens, c), three=three, ws=[w.clone() for w in three.chunk(3)])
        yield Case("q, k, v", f"2x{tokens}x{c}, {heads} heads", make, {
            "three products, attention": lambda t, heads=heads: attend([F.linear(t.x, w) for w in t.ws], heads),
            "one product, attention of slices": lambda t, heads=heads: attend(F.linear(t.x, t.three).chunk(3, -1), heads),
        }, launches)


def biases(place):
    shapes = (  # images, channels, side, launches: convolutions of that output
        (2, 320, 64, {"sd15 step": 11}), (2, 640, 32, {"sd15 step": 11}), (2, 1280, 16, {"sd15 step": 12}), (2, 1280, 8, {"sd15 step": 15}),
        (2, 320, 128, {"sdxl step": 11}), (2, 640, 64, {"sdxl step": 11}), (2, 1280, 32, {"sdxl step": 14}),
        (1, 512, 128, {"sdxl decode": 11}), (1, 512, 256, {"sdxl decode": 7}), (1, 256, 512, {"sdxl decode": 6}), (1, 128, 1024, {"sdxl decode": 6}))
    for n, c, s, launches in shapes:
        c, s = place.sized(c, s)

        def make(n=n, c=c, s=s):
            return SimpleNamespace(x=place.image(n, c, s, s), w=place.weight(c, c, 3, 3), b=place.random(c), z=place.image(n, c, s, s))
        once, fused = ((1, 1), (1, 1), (1, 1), 1), ("with bias and ReLU by cuDNN", "with bias, sum and ReLU by cuDNN")  # stride, padding, dilation, groups
        yield Case("bias", f"{n}x{c}x{s}x{s}", make, {
            "3x3 with bias": lambda t: F.conv2d(t.x, t.w, t.b, padding=1),
            "3x3 without": lambda t: F.conv2d(t.x, t.w, padding=1),
            fused[0]: lambda t: torch.cudnn_convolution_relu(t.x, t.w, t.b, *once),
            fused[1]: lambda t: torch.cudnn_convolution_add_relu(t.x, t.w, t.z, 1.0, t.b, *once),
        }, launches, 2 * 9 * n * c * c * s * s, unlike=("3x3 without", *fused))


def attend_by(kernel):
    def attention(t):
        with sdpa_kernel(kernel):
            return F.scaled_dot_product_attention(t.q, t.k, t.v)
    return attention


def attentions(place):
    shapes = ((10, 4096, 4096, 64, {"sdxl step": 10}), (20, 1024, 1024, 64, {"sdxl step": 60}), (20, 1024, 77, 64, {"sdxl step": 60}),
              (8, 4096, 4096, 40, {"sd15 step": 5}), (8, 1024, 1024, 80, {"sd15 step": 5}), (8, 256, 256, 160, {"sd15 step": 5}))
    kernels = {"cuDNN": SDPBackend.CUDNN_ATTENTION, "flash": SDPBackend.FLASH_ATTENTION, "efficient": SDPBackend.EFFICIENT_ATTENTION}
    for heads, tokens, keys, d, launches in shapes:
        heads, tokens, keys, d = place.sized(heads, tokens, keys, d)

        def make(heads=heads, tokens=tokens, keys=keys, d=d):
            q, k, v = (place.random(2, count, heads, d).transpose(1, 2) for count in (tokens, keys, keys))
            return SimpleNamespace(q=q, k=k, v=v)
        yield Case("attention", f"2x{heads}x{tokens}x{keys}x{d}", make, {name: attend_by(kernel) for name, kernel in kernels.items()}, launches,
                   4 * 2 * heads * tokens * keys * d)


def in_blocks(most, wide=True):
    """Like blocked_attention(); its scores are fp32."""
    def attention(t):
        at_once = max(1, most // t.k.shape[1])
        answers = []
        for q in t.q.split(at_once, 1):
            dtype = torch.float32 if wide else t.q.dtype
            none, scale = torch.empty(1, dtype=dtype, device=q.device), t.q.shape[-1]**-0.5
            if wide and q.is_cuda:
                scores = torch.empty(len(q), q.shape[1], t.k.shape[1], dtype=dtype, device=q.device)
                torch.baddbmm(scores, q, t.k.transpose(1, 2), out_dtype=dtype, beta=0, alpha=scale, out=scores)
            else:
                scores = torch.baddbmm(none, q.to(dtype), t.k.to(dtype).transpose(1, 2), beta=0, alpha=scale)
            answers.append(torch.bmm(scores.softmax(-1).to(t.v.dtype), t.v))
        return torch.cat(answers, 1)
    return attention


def attentions_of_vae(place):
    for tokens, where in ((16384, "sdxl decode"), (4096, "sd15 decode")):
        tokens, d = place.sized(tokens, 512)

        def make(tokens=tokens, d=d):
            q, k, v = (place.random(1, tokens, d, dtype=torch.bfloat16) for _ in range(3))
            return SimpleNamespace(q=q, k=k, v=v)
        forms = {"blocks of 2^26 scores": in_blocks(1 << 26), "the same, scores in 16 bits": in_blocks(1 << 26, wide=False)}
        forms |= {f"blocks of 2^{most} scores": in_blocks(1 << most) for most in (24, 25, 27, 28)}
        forms["libtorch's own choice"] = lambda t: F.scaled_dot_product_attention(t.q[:, None], t.k[:, None], t.v[:, None])[:, 0]
        yield Case("VAE's attention (bf16)", f"{tokens}x{d}", make, forms, {where: 1}, 4 * tokens * tokens * d)


def launches(place):
    """A kernel of our own after a product, which lets it start only at its end, and after another of our own, which lets it start at once."""
    known = []

    def touch(x, programmatic):
        if not known:
            known.append(dependent_launch.touch_kernel())
        return known[0](x, programmatic)

    def after_product(programmatic):
        return lambda t: touch(F.linear(t.x, t.w), programmatic)

    def after_own(programmatic):
        return lambda t: touch(touch(t.x, False), programmatic)
    # Group norms, whose second kernel follows the first, sums with layer norms, and GEGLU.
    for m, c, where, after, own in ((2048, 1280, "sdxl step", 326, 46), (2048, 640, "sd15 step", 125, 61)):
        m, c = place.sized(m, c)

        def make(m=m, c=c):
            return SimpleNamespace(x=place.random(m, c), w=place.weight(c, c))
        for before, form, count in (("a product", after_product, after), ("our own kernel", after_own, own)):
            yield Case("programmatic dependent launch", f"{m}x{c}, after {before}", make, {"off": form(False), "on": form(True)}, {where: count})


# What decides most comes first; the last one calls the driver itself, so that an error of its own costs the others nothing.
GROUPS = (ceilings, upsampling, small_convolutions, concatenations, products, residuals, queries_keys_values, biases, attentions, attentions_of_vae, launches)
