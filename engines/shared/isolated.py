"""Pinned packages alone: a Python of ours is started with -I, and what it starts must not read, either, what is set for other Pythons."""
import os

# They say where compiled files go, which changes nothing that is computed.
_CACHES = ("PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE")


def forget_python_settings():
    """PYTHONPATH, PYTHONHOME, PYTHONOPTIMIZE, … and the user's own site-packages."""
    for name in [name for name in os.environ if name.startswith("PYTHON") and name not in _CACHES]:
        del os.environ[name]
    os.environ["PYTHONNOUSERSITE"] = "1"


def ensure_user_name():
    """torch._inductor asks for one, which a user number without an entry in passwd has not."""
    import getpass

    try:
        getpass.getuser()
    except (KeyError, OSError):
        os.environ["LOGNAME"] = f"user-{os.getuid()}"
