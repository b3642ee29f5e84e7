"""Values that JSON cannot express, in the form of src/base/executor/json_values.cpp: NaN, infinity, and text that is not UTF-8."""
import math

_NUMBERS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def encoded(value):
    if isinstance(value, dict):
        return {key: encoded(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [encoded(member) for member in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return {"hex": value.encode(errors="surrogateescape").hex()}
    return value


def number(value):
    return _NUMBERS[value] if isinstance(value, str) else float(value)


def text(value):
    """Decodes text. Bytes that are not UTF-8 become surrogates, like in Python's file names."""
    return bytes.fromhex(value["hex"]).decode(errors="surrogateescape") if isinstance(value, dict) else value
