"""pip for pinned packages. The user may choose where they come from, but not which they are or where they go."""
import configparser
import os
import pathlib
import platform
import re

from shared.failure import plain

# Options for index, network, certificates and constraints, by pip's names.
_OF_USER = ("index-url", "pypi-url", "extra-index-url", "no-index", "find-links", "trusted-host", "proxy", "cert", "client-cert", "keyring-provider",
            "timeout", "default-timeout", "retries", "resume-retries", "constraint", "build-constraint", "uploaded-prior-to", "cache-dir", "no-cache-dir",
            "use-feature", "use-deprecated")
_SECTIONS = ("global", "install")  # the latter wins
LONGEST = 300  # characters of pip's message

# Meanings of failure messages, the most certain first.
_CAUSES = (
    (r"No space left on device|Disk quota exceeded|Errno 28\b|Errno 122\b", "the disk is full: free some of {folder}'s"),
    (r"MemoryError|Cannot allocate memory|Errno 12\b", "memory is short: free some"),
    (r"ensurepip is not\s+available|No module named '?(ensurepip|venv)", "Python cannot make environments: install python3-venv"),
    (r"Python\.h: No such file", "Python's headers are missing: install python3-dev"),
    (r"CERTIFICATE_VERIFY_FAILED|SSLCertVerificationError|certificate verify failed|SSLError|Could not find a suitable TLS CA certificate",
     "the certificate is not trusted: name the file of its authority, such as a proxy's, with PIP_CERT"),
    (r"ProxyError|Cannot connect to proxy|407 (Proxy|Client Error)", "the proxy lets nothing through: look at https_proxy and PIP_PROXY"),
    (r"THESE PACKAGES DO NOT MATCH THE HASHES|BadZipFile|zlib\.error|is not a valid wheel|invalid wheel|has an invalid|"
     r"Wheel '.*' located at .* is invalid",
     "a wheel is cut or damaged: fetch it again"),
    (r"Could not open requirements file", "PIP_CONSTRAINT must name a file that can be read"),
    (r"index url .* seems invalid, please provide a scheme", "PIP_INDEX_URL must be a URL, as https://HOST/simple"),
    (r"ResolutionImpossible|conflicting dependencies|The user requested \(constraint\)", "a constraint forbids it: look at PIP_CONSTRAINT"),
    (r"40[13] Client Error|HTTP error 40[13]", "the index refuses: look at PIP_INDEX_URL and its password"),
    (r"\(from versions: (?!none\b)", "the index (or the folder of --from) lacks it for this Python, {python}: look at PIP_INDEX_URL"),
    (r"(?:too many |HTTP error |: )(?P<status>429|5\d\d)\b(?= error responses| Server| Client| while)",
     "the index fails with HTTP {status}: try again later, or look at PIP_INDEX_URL"),
    (r"NewConnectionError|NameResolution|Temporary failure in name resolution|Max retries exceeded|ConnectTimeout|[Rr]ead timed out|ReadTimeout|"
     r"Connection (refused|reset|aborted)|Network is unreachable|No route to host|IncompleteRead|RemoteDisconnected|ProtocolError|"
     r"not enough bytes were received",
     "the network does not reach the index: look at https_proxy and PIP_INDEX_URL, or give --from"),
    (r"PIP_NO_INDEX keeps",
     "PIP_NO_INDEX keeps pip from every index, and PIP_FIND_LINKS has no such package for this Python, {python}: unset it, or give --from"),
    (r"No matching distribution|40\d Client Error|HTTP error \d+|\(from versions: none\)",
     "the index (or the folder of --from) has no such package for this Python, {python}: look at PIP_INDEX_URL"),
)


def _files():
    """The files in the order of pip's documentation, the strongest last. The file of PIP_CONFIG_FILE replaces the user's own."""
    named = os.environ.get("PIP_CONFIG_FILE")
    if named == os.devnull:
        return []
    shared = [*reversed((os.environ.get("XDG_CONFIG_DIRS") or "/etc/xdg").split(":")), ""]
    files = [pathlib.Path(folder or "/etc", "pip" if folder else "", "pip.conf") for folder in shared]
    if named and os.path.exists(named):
        return [*files, pathlib.Path(named)]
    home = os.path.expanduser("~")
    return [*files, pathlib.Path(home, ".pip/pip.conf"), pathlib.Path(os.environ.get("XDG_CONFIG_HOME") or f"{home}/.config", "pip/pip.conf")]


def _settings():
    """The settings in these files, by option name."""
    files = configparser.RawConfigParser()
    try:
        files.read(_files())
    except UnicodeDecodeError as error:
        raise configparser.Error(f"a pip.conf must be UTF-8, but is not: {error}") from None
    known = {}
    for section in _SECTIONS:
        if files.has_section(section):
            known |= {name.lower().lstrip("-").replace("_", "-"): value for name, value in files.items(section) if value}
    return known


def _variable(option):
    return "PIP_" + option.upper().replace("-", "_")


def environment(temporary=None):
    """The environment for pip. `temporary`: where it unpacks; None for the system's place. Raises configparser.Error for an invalid file."""
    settings = _settings()
    taken = {_variable(name): settings[name] for name in _OF_USER if name in settings}
    taken |= {_variable(name): os.environ[_variable(name)] for name in _OF_USER if os.environ.get(_variable(name))}
    others = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    ours = {"PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
    if temporary is not None:
        ours |= {"TMPDIR": str(temporary), "PIP_LOG": str(temporary / "pip.log")}  # the log says why pip skipped an index
    return {**others, **taken, **ours}


def _unsaid(settings):
    """Why pip skipped an index. pip writes that only to its log, or not at all."""
    log = pathlib.Path(settings.get("PIP_LOG", os.devnull))
    text = plain(log.read_text(errors="replace")) if log.exists() else ""
    lines = [line for line in text.splitlines() if "Could not fetch URL" in line]
    if settings.get("PIP_NO_INDEX", "").lower() in ("1", "true", "t", "yes", "y", "on"):
        lines.append("PIP_NO_INDEX keeps pip from every index")
    return "\n".join(lines)


def why(text, exit_code, folder, settings):
    """Why pip failed, in one line: its own words from `text`, and their meaning. `settings`: its environment."""
    if exit_code == -9:
        return "it was killed, as the system does when memory is short: free some"
    if exit_code < 0:
        return f"it was ended by signal {-exit_code}"
    lines = [line.strip() for line in plain(text).replace("\r", "\n").splitlines() if line.strip()]
    # The first line of pip's traceback says nothing; the last one does.
    errors = [line for line in lines if line.startswith("ERROR") and not line.startswith("ERROR: Exception:")] or lines[-1:] or ["it says nothing"]
    python = f"{platform.python_version()} on {platform.machine()}"
    known = f"{plain(text)}\n{_unsaid(settings)}"
    for words, cause in _CAUSES:
        if found := re.search(words, known):
            return f"{errors[-1][:LONGEST]}; {cause.format(folder=folder, python=python, **found.groupdict())}"
    return errors[-1][:LONGEST]
