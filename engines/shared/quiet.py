"""Silences converters, whose hundreds of harmless warnings would hide a worker's last words."""
import contextlib
import logging
import warnings

_LOGGERS = ("torch.onnx", "onnxscript", "onnx_ir")


@contextlib.contextmanager
def quiet():
    levels = [(logging.getLogger(name), logging.getLogger(name).level) for name in _LOGGERS]
    for logger, _ in levels:
        logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in levels:
            logger.setLevel(level)
