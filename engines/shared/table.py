"""What sdbench's tables say of each engine by name, the defaults of a cell, and the parts of each task's runs: generated_table.json.

tests/unit/base/config/test_other_engine_table.cpp writes that file and compares it with the tables.
"""
import json
import os

with open(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "generated_table.json"), encoding="utf-8") as file:
    _TABLE = json.load(file)
ENGINES, USUAL_CELL, PARTS = _TABLE["engines"], _TABLE["cell"], _TABLE["parts"]


def dtypes(engine):
    """The dtypes by kind of device, like {"cpu": ["fp32", "bf16"], "intel": ["fp32"]}. Other kinds of devices are not supported."""
    return ENGINES[engine]["dtypes"]


def choices(engine):
    """By axis except the engine itself, what it may be asked for: {"attention": ["auto"], "tf32": ["off", "on"]}."""
    return ENGINES[engine]["choices"]


def is_torch(engine):
    return ENGINES[engine]["program"] == "torch"
