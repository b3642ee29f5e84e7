"""What several of the program's tests use: the program over a stub worker, and the models of the parity tests."""

import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest
from program import PROGRAM
from safetensors import safe_open
from safetensors.numpy import load_file, save_file
from stub import Stub, install

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "parity"))


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """An installed sdbench whose worker is the stub."""
    return install(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def stub(program, tmp_path):
    return Stub(program, tmp_path)


@pytest.fixture
def own_share(tmp_path):
    """A copy of share/sdbench that a test may damage, without the large models' golden files."""
    shipped = pathlib.Path(PROGRAM).resolve().parent.parent / "share" / "sdbench"
    copy = tmp_path / "share"
    shutil.copytree(shipped, copy, ignore=shutil.ignore_patterns("sd*.safetensors"))
    return copy


@pytest.fixture
def share_of_other_latents(own_share):
    """Such a copy whose golden latents of tiny-sd15 nobody computes."""
    golden = own_share / "golden" / "tiny-sd15.safetensors"
    with safe_open(golden, "np") as file:
        metadata = file.metadata()
    tensors = load_file(golden)
    tensors["latents"] = tensors["latents"] * np.float32(1.5)
    save_file(tensors, golden, metadata=metadata)
    return own_share


@pytest.fixture(params=("ENOSYS", "ENOLCK"))  # Lustre's refusal, and NFS's
def no_locks(request, tmp_path):
    """A library to be preloaded: as on a file system without locks."""
    library = tmp_path / "no_locks.so"
    subprocess.run(["cc", "-x", "c", "-", "-shared", "-fPIC", f"-DREFUSAL={request.param}", "-o", library], text=True, check=True, input="""
        #define _GNU_SOURCE
        #include <asm/fcntl.h>  // the other fcntl.h declares what is replaced here
        #include <dlfcn.h>
        #include <errno.h>
        #include <unistd.h>
        int creat(const char* name, unsigned mode);
        static int refuse(const char* kind) { close(creat(kind, 0600)); errno = REFUSAL; return -1; }
        int flock(int file, int operation) { return refuse(LIBRARY ".flock"); }
        static int answer(const char* name, int file, int command, void* argument) {  // POSIX's locks are commands of it
          if (command == F_GETLK || command == F_SETLK || command == F_SETLKW) return refuse(LIBRARY ".fcntl");
          return ((int (*)(int, int, ...))dlsym(RTLD_NEXT, name))(file, command, argument);
        }
        int fcntl(int file, int command, void* argument) { return answer("fcntl", file, command, argument); }
        int fcntl64(int file, int command, void* argument) { return answer("fcntl64", file, command, argument); }""".replace("LIBRARY", f'"{library}"'))
    yield str(library)
    assert (tmp_path / "no_locks.so.flock").exists()  # some lock was asked for
