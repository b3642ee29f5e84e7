"""What stands in diffusers' pipeline in the place of its modules, where another program computes them: without weights."""
import torch


class _StandIn(torch.nn.Module):
    """`call(*tensors)`: gives a list of tensors. The pipeline asks for config, dtype and device."""

    def __init__(self, config, dtype, device, call):
        super().__init__()
        self.config = config
        self.dtype = dtype
        self.device = torch.device(device)
        self.call = call


class UNet(_StandIn):
    def __init__(self, config, *more):
        super().__init__(config, *more)
        if getattr(config, "projection_class_embeddings_input_dim", None):  # SDXL's pipeline counts the added numbers by it
            self.add_embedding = torch.nn.Module()
            self.add_embedding.linear_1 = torch.nn.Module()
            self.add_embedding.linear_1.in_features = config.projection_class_embeddings_input_dim

    def forward(self, sample, timestep, encoder_hidden_states, added_cond_kwargs=None, **_):
        added = added_cond_kwargs or {}
        more = [added[name] for name in ("text_embeds", "time_ids") if name in added]
        return (self.call(sample, timestep, encoder_hidden_states, *more)[0].to(sample.dtype),)


class Vae(_StandIn):
    def decode(self, latents, **_):
        return (self.call(latents)[0],)


class _TextOutput:
    """As diffusers reads transformers' output: by [0], [-1] and hidden_states."""

    def __init__(self, first, states):
        self.first, self.hidden_states = first, states

    def __getitem__(self, place):
        return self.first if place == 0 else self.hidden_states


class _TextModel(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.final_layer_norm = torch.nn.Identity()  # the state that comes is normed


class TextEncoder(_StandIn):
    def __init__(self, config, dtype, device, call, is_sdxl, clip_skip):
        super().__init__(config, dtype, device, call)
        self.is_sdxl, self.clip_skip = is_sdxl, clip_skip
        self.text_model = _TextModel()

    def forward(self, ids, **_):
        first, *states = (state.to(self.dtype) for state in self.call(ids))
        places = ([-2] if self.is_sdxl else []) + ([-(self.clip_skip + (2 if self.is_sdxl else 1))] if self.clip_skip else [])
        return _TextOutput(first, dict(zip(places, states)))
