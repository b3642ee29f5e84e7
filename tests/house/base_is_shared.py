#!/usr/bin/env python3
"""Checks that both wings use base: the includes of front and those of engine both reach each unit of base (a header, and the sources of its folder
that define what it declares).

Usage: base_is_shared.py CHECKOUT. A unit that only one wing reaches belongs to that wing, unless ONE_WING says why it stays.
"""

import collections
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
ONE_WING = {
    "base/config/preset_catalog": "presets stand beside models, and the tests of plan reckon with them",
    "base/executor/cell_timing": "the front's tests time their fakes by the worker's clock",
}


def units_of(root):
    """wing/folder/stem → its files; main.cpp and worker_main.cpp are units as well."""
    units = collections.defaultdict(list)
    for top in ("include/sdbench", "src"):
        for path in (root / top).rglob("*"):
            if path.suffix in (".h", ".cpp"):
                units[str(path.relative_to(root / top).with_suffix(""))].append(path)
    return units


def includes_of(root, units):
    """Unit → the units that it includes, or whose header the sources of its folder define."""
    known = {path: unit for unit, paths in units.items() for path in paths}
    edges = collections.defaultdict(set)
    for unit, paths in units.items():
        for path in paths:
            for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
                included = known.get(root / "include" / name) or known.get(path.parent / name)
                if included and included != unit:
                    edges[unit].add(included)
        folder = unit.rpartition("/")[0]
        if all(path.suffix == ".cpp" for path in paths):  # it defines what a header of its folder declares
            for included in list(edges[unit]):
                if included.rpartition("/")[0] == folder:
                    edges[included].add(unit)
    return edges


def reached(wing, units, edges):
    """Every unit that `wing`'s folders and programs include, directly or indirectly."""
    mains = {"front": {"main", "pages_main"}, "engine": {"worker_main"}}[wing]
    left = [unit for unit in units if unit.startswith(f"{wing}/") or unit in mains]
    seen = set(left)
    while left:
        for included in edges[left.pop()] - seen:
            seen.add(included)
            left.append(included)
    return seen


def check(root):
    """(number of base's units, complaints)."""
    units = units_of(root)
    edges = includes_of(root, units)
    front, engine = (reached(wing, units, edges) for wing in ("front", "engine"))
    base = {unit for unit in units if unit.startswith("base/")}
    alone = {unit: "front" for unit in base & (front - engine)} | {unit: "engine" for unit in base & (engine - front)}
    complaints = [f"{unit}: only {wing} reaches it, so it belongs there" for unit, wing in sorted(alone.items()) if unit not in ONE_WING]
    complaints += [f"{unit}: nothing reaches it" for unit in sorted(base - front - engine)]
    complaints += [f"{unit}: both wings reach it, or it is gone; take it out of ONE_WING" for unit in sorted(ONE_WING.keys() - alone.keys())]
    return len(base), complaints


def main():
    count, complaints = check(pathlib.Path(sys.argv[1]))
    print("\n".join(complaints) or f"{count} units of base, both wings reach all but {len(ONE_WING)}")
    sys.exit(1 if complaints or count < 50 else 0)


if __name__ == "__main__":
    main()
