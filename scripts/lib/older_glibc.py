#!/usr/bin/env python3
"""Makes a library require an older version of glibc.

    older_glibc.py LIBRARY VERSION OLDER

It then requires OLDER for every symbol of VERSION. It must require OLDER already. glibc's OLDER lacks these symbols: another library must define them.
"""
import pathlib
import struct
import sys

VERSION_NEEDS = 0x6ffffffe  # SHT_GNU_verneed


def elf_hash(name):
    value = 0
    for letter in name.encode():
        value = (value << 4) + letter
        high = value & 0xf0000000
        value = (value ^ (high >> 24)) & ~high
    return value


def needs_section(content):
    """(begin, end) of the requirements in a 64-bit little-endian ELF file."""
    table, = struct.unpack_from("<Q", content, 0x28)
    size, count = struct.unpack_from("<HH", content, 0x3a)
    for section in range(table, table + size * count, size):
        kind, = struct.unpack_from("<I", content, section + 4)
        if kind == VERSION_NEEDS:
            offset, length = struct.unpack_from("<QQ", content, section + 0x18)
            return offset, offset + length
    raise SystemExit("the library must ask for versions, but does not")


def requirement_of(content, version):
    """Offset of the requirement for a version: hash, flags, index, offset of the name, next; 16 bytes."""
    begin, end = needs_section(content)
    found = [at for at in range(begin, end - 15, 4) if struct.unpack_from("<I", content, at)[0] == elf_hash(version)]
    if len(found) != 1:
        raise SystemExit(f"the library must ask for {version} once, but does {len(found)} times")
    return found[0]


def asking_for_older(content, version, older):
    content = bytearray(content)
    place, known = requirement_of(content, version), requirement_of(content, older)
    for start, end in ((0, 4), (8, 12)):  # hash and name
        content[place + start:place + end] = content[known + start:known + end]
    return bytes(content)


if __name__ == "__main__":
    file = pathlib.Path(sys.argv[1])
    file.write_bytes(asking_for_older(file.read_bytes(), *sys.argv[2:]))
