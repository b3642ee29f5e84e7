"""Programmatic dependent launch, for candidate_forms.py: a kernel whose launch overlaps the end of the one before it."""
import ctypes

import torch

KERNEL = r"""extern "C" __global__ void touch(int4* x, int n) {
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
  const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (at < n) {
    int4 pack = x[at];
    pack.x ^= 1;
    x[at] = pack;
  }
}"""
PROGRAMMATIC = 6  # CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION


class LaunchAttribute(ctypes.Structure):  # CUlaunchAttribute
    _fields_ = [("id", ctypes.c_int), ("pad", ctypes.c_char * 4), ("value", ctypes.c_int), ("rest", ctypes.c_char * 60)]


class LaunchConfig(ctypes.Structure):  # CUlaunchConfig
    _fields_ = [("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("shared_bytes", ctypes.c_uint), ("stream", ctypes.c_void_p),
                ("attributes", ctypes.POINTER(LaunchAttribute)), ("attribute_count", ctypes.c_uint)]


def touch_kernel():
    """A function of a tensor and of whether the launch is programmatic."""
    if not torch.cuda.is_available() or torch.cuda.get_device_capability() < (9, 0):
        raise RuntimeError("programmatic dependent launch must have compute capability 9.0 or more")
    if not hasattr(torch.cuda, "_compile_kernel"):
        raise RuntimeError(f"torch must be 2.8 or newer to compile a kernel, but is {torch.__version__}")
    kernel, driver = torch.cuda._compile_kernel(KERNEL, "touch"), ctypes.CDLL("libcuda.so.1")

    def touch(x, programmatic):
        packs, threads = x.nbytes // 16, 256
        attribute = LaunchAttribute(id=PROGRAMMATIC, value=1)
        config = LaunchConfig((-(-packs // threads), 1, 1), (threads, 1, 1), 0, torch.cuda.current_stream().cuda_stream, ctypes.pointer(attribute),
                              int(programmatic))
        arguments = [ctypes.c_void_p(x.data_ptr()), ctypes.c_int(packs)]
        places = (ctypes.c_void_p * 2)(*(ctypes.addressof(argument) for argument in arguments))
        code = driver.cuLaunchKernelEx(ctypes.byref(config), kernel.func, places, None)
        if code != 0:
            raise RuntimeError(f"cuLaunchKernelEx must succeed, but returns {code}")
        return x
    return touch
