"""What a worker imports before its first cell. The fork server of forked.py imports it once for all workers."""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "engines"))

import worker  # noqa: E402

os.environ |= worker.ENVIRONMENT

import kinds.pytorch  # noqa: E402, F401
import shared.cell_run  # noqa: E402, F401
