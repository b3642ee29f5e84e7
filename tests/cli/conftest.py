"""The models of the parity tests serve the program's tests, too."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "parity"))
