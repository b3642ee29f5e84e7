"""Rows of an INVENTED machine, a night each: nothing in them was ever measured."""

import csv
import datetime
import io
import pathlib

from ids import with_ids

ALPHA = pathlib.Path(__file__).parent.parent / "data" / "compare" / "invented-alpha.csv"
TIMES = ("unet_s", "e2e_s", "s_per_it", "unet_s_sd", "e2e_s_sd")
RATES = ("unet_it_s", "e2e_it_s", "images_per_min", "first_image_it_s")
FIRST = datetime.date(2026, 1, 1)


def date(night):
    return str(FIRST + datetime.timedelta(days=night))


def row(night, factor=1.0, name="", **more):
    """A night's row, that took `factor` times as long; nights differ by tenths of a percent."""
    with open(ALPHA, newline="") as file:
        made = next(csv.DictReader(file))
    factor *= 1 + 0.003 * (night % 3 - 1)
    for field in TIMES:
        made[field] = repr(float(made[field]) * factor)
    for field in RATES:
        made[field] = repr(float(made[field]) / factor)
    made |= {"run_id": f"{night}{name}", "sweep_id": f"{night}{name}", "time_utc": f"{date(night)}T22:30:00Z", **more}
    return {**with_ids(made), "env_id": made["env_id"]}  # an env_id is of more than these columns


def text_of(rows):
    names = list(dict.fromkeys(name for made in rows for name in made))
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, names, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def write(file, rows):
    file.parent.mkdir(exist_ok=True)
    file.write_text(text_of(rows), encoding="utf-8")


def slower_nights(**more):
    """From the night 20 on 6 % slower, under another driver."""
    return [row(night, 1.06 if night >= 20 else 1.0, driver_version="580.10" if night >= 20 else "570.86", **more) for night in range(24)]
