"""How a failed cell ends."""
import errno
import re
import sys
import traceback

LONGEST = 600  # characters of another program's message
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])")
_NO_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_OF_DEVICE = ("CUDA out of memory", "CUDA error: out of memory", "CUDA_ERROR_OUT_OF_MEMORY", "cudaErrorMemoryAllocation",
              "CUBLAS_STATUS_ALLOC_FAILED", "CUDNN_STATUS_ALLOC_FAILED", "CUDA failure 2", "Cuda Runtime (out of memory)",
              "[GPU] Exceeded max size of memory", "[GPU] out of GPU resources")
_OF_HOST = ("DefaultCPUAllocator", "can't allocate memory", "bad_alloc", "bad allocation", "Cannot allocate memory",
            "Unable to allocate", "CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED")
_OF_EITHER = ("Failed to allocate memory", "BFCArena")  # of ONNX Runtime, which has an arena for each device


# Causes in other programs' messages, and their remedies.
_REMEDIES = ((r"InvalidCxxCompiler|Failed to find C compiler|No working C\+\+ compiler", "install a C++ compiler, such as g++"),
             (r"Python\.h: No such file", "install Python's headers: the package python3-dev"),
             (r"failed to map segment from shared object", "its folder is mounted noexec: name another with TMPDIR"),
             (r"can't start new thread|pthread_create failed|thread: Operation not permitted|thread: Resource temporarily unavailable",
              "the system refuses threads: look at ulimit -u, at the container's limit of processes and at its seccomp profile, which must allow clone3"))


class CellFailure(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def skipped(must, is_so, remedy):
    """A failure for what this engine cannot do, raised before anything is loaded."""
    return CellFailure("skipped", f"{must}, but {is_so}; {remedy}")


def plain(text):
    """The text without a terminal's colours, which torch.onnx puts into its errors, and without other control characters."""
    return _NO_TEXT.sub("", _ESCAPES.sub("", text))


def _has(words, some):
    return any(each in words for each in some)


def _first_line(error):
    """The first line, and the lines that it announces with a colon: OpenVINO's first line only says where the error was thrown."""
    words = ""
    for line in filter(None, (line.strip() for line in plain(str(error)).splitlines())):
        words += f" {line}" if words else line
        if not line.endswith(":"):
            break
    return words[:LONGEST]


def memory_status(error, on_gpu=False):
    """Returns "oom_host", "oom_device" or None."""
    words = str(error)
    if type(error).__name__ == "OutOfMemoryError" or _has(words, _OF_DEVICE):
        return "oom_device"
    if isinstance(error, MemoryError) or _has(words, _OF_HOST) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return "oom_host"
    return ("oom_device" if on_gpu else "oom_host") if _has(words, _OF_EITHER) else None


def _disk_is_full(error):
    """Packages report it by an OSError or only in words. OpenVINO's words are those for a file that it cannot write completely."""
    chain = [error, error.__cause__, error.__context__]
    return any(isinstance(each, OSError) and each.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) for each in chain) or \
        _has(str(error), ("No space left on device", "File too large", "basic_ios::clear: iostream error"))


def outcome_of(error, on_gpu, memory_advice=""):
    """(status, one line)"""
    remedy = memory_advice and f"; {memory_advice}"
    if isinstance(error, CellFailure):
        return error.status, " ".join(plain(str(error)).split())
    traceback.print_exception(error, file=sys.stderr)
    if "shared memory segment /dev/shm" in str(error):  # in the last of several lines from NCCL
        return "error", ("/dev/shm must have room for what NCCL sends between GPUs, but is full; give a container more "
                            "(docker run --shm-size 1g), or take --share each")
    status = memory_status(error, on_gpu)
    if status == "oom_host":
        asked = re.search(r"you tried to allocate (\d+)", str(error))
        more = f" for {int(asked[1]) / 2**30:.1f} GiB at once" if asked else ""
        return status, f"the host has too little free memory{more}{remedy}"
    if status:
        return status, _first_line(error).split(". GPU ")[0] + remedy
    if _disk_is_full(error):
        return "error", "the disk must have room for what this engine prepares, but is full; free some, or name another disk with XDG_CACHE_HOME"
    words = _first_line(error)
    known = next((f"; {remedy}" for pattern, remedy in _REMEDIES if re.search(pattern, str(error))), "")
    return "error", (f"{type(error).__name__}: {words}" if words else type(error).__name__) + known
