"""Makes sure that only pinned packages are used. Our Pythons start with -I; the programs that they start must not read settings for other Pythons
either."""
import os

# These say where compiled files go, which changes no result.
_CACHES = ("PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE")


def forget_python_settings():
    """Removes PYTHONPATH, PYTHONHOME, PYTHONOPTIMIZE, … and switches off the user's own site-packages."""
    for name in [name for name in os.environ if name.startswith("PYTHON") and name not in _CACHES]:
        del os.environ[name]
    os.environ["PYTHONNOUSERSITE"] = "1"


def ensure_user_name():
    """torch._inductor asks for a user name, which a user id without an entry in passwd lacks."""
    import getpass

    try:
        getpass.getuser()
    except (KeyError, OSError):
        os.environ["LOGNAME"] = f"user-{os.getuid()}"
