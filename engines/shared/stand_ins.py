"""Stand-ins, without weights, for modules of diffusers' pipeline that another program computes."""
import torch


class _StandIn(torch.nn.Module):
    """`call(*tensors)` returns a list of tensors. The pipeline asks for config, dtype and device."""

    def __init__(self, config, dtype, device, call):
        super().__init__()
        self.config = config
        self.dtype = dtype
        self.device = torch.device(device)
        self.call = call


class UNet(_StandIn):
    def __init__(self, config, *more):
        super().__init__(config, *more)
        if getattr(config, "projection_class_embeddings_input_dim", None):  # SDXL's pipeline uses it to count the added numbers
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
    """Output in the form in which diffusers reads transformers': by [0], [-1] and hidden_states."""

    def __init__(self, first, states):
        self.first, self.hidden_states = first, states

    def __getitem__(self, place):
        return self.first if place == 0 else self.hidden_states


class _TextModel(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.final_layer_norm = torch.nn.Identity()  # the state is normalised already


class TextEncoder(_StandIn):
    def __init__(self, config, dtype, device, call, is_sdxl, clip_skip):
        super().__init__(config, dtype, device, call)
        self.is_sdxl, self.clip_skip = is_sdxl, clip_skip
        self.text_model = _TextModel()

    def forward(self, ids, **_):
        first, *states = (state.to(self.dtype) for state in self.call(ids))
        places = ([-2] if self.is_sdxl else []) + ([-(self.clip_skip + (2 if self.is_sdxl else 1))] if self.clip_skip else [])
        return _TextOutput(first, dict(zip(places, states)))
