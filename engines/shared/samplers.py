"""diffusers' schedulers for the samplers of sdbench."""
from diffusers import EulerDiscreteScheduler

# By the sampler's name (kSamplers in sdbench/base/config/sampler_table.h).
SAMPLERS = {"euler": EulerDiscreteScheduler}
# The keys of a scheduler's config that sdbench's own engines read. Other keys would change the noise levels only if --scheduler names the
# sampler, and then the sampler's usual levels hold.
SCHEDULER_KEYS = ("num_train_timesteps", "beta_start", "beta_end", "beta_schedule", "prediction_type", "steps_offset", "rescale_betas_zero_snr")
BETA_SCHEDULES = ("linear", "scaled_linear", "squaredcos_cap_v2")


def scheduler_for(cell):
    sampler, source = SAMPLERS[cell["sampler"]], cell["model"]["source"]
    config = {key: value for key, value in source["scheduler"].items() if key in SCHEDULER_KEYS}
    if config.get("beta_schedule") not in BETA_SCHEDULES:
        config.pop("beta_schedule", None)
    if source["pipeline"]["_class_name"] == "StableDiffusionPipeline":  # it replaces any other value, even a default of the sampler
        own = source["pipeline"].get("scheduler", [None, source["scheduler"].get("_class_name")])[1]
        if "steps_offset" in config or (own == sampler.__name__ and config.get("timestep_spacing") == "leading"):
            config["steps_offset"] = 1
    return sampler.from_config({**config, "timestep_spacing": cell["timestep_spacing"], "use_karras_sigmas": cell["karras"]})
