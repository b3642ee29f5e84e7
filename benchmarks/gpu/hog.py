"""Another process that holds memory of the GPU for some seconds.

    hog.py SECONDS          a gigabyte, at once
    hog.py SECONDS MIB      all but so many MiB, as soon as another process has taken a gigabyte
"""
import sys
import time

import torch


def main():
    seconds = float(sys.argv[1])
    size = 1 << 30
    free = torch.cuda.mem_get_info()[0]
    if len(sys.argv) > 2:
        print("ready", flush=True)
        end = time.monotonic() + 60
        while torch.cuda.mem_get_info()[0] > free - size and time.monotonic() < end:
            time.sleep(0.01)
        size = torch.cuda.mem_get_info()[0] - (int(sys.argv[2]) << 20)
    held = torch.empty(size, dtype=torch.uint8, device="cuda")
    print(f"holds {held.numel() >> 20} MiB", flush=True)
    time.sleep(seconds)


if __name__ == "__main__":
    main()
