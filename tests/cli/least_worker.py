"""A worker in another language than ours: it answers with the least of the protocol (docs/worker-protocol.md) and computes nothing.

LEAST_WORKER_TELLS: members of the result, as JSON, that it tells beside those; null: it gives no result.
"""
import json
import os
import time

PROTOCOL_VERSION = 11  # kVersion of include/sdbench/base/executor/messages.h
DEVICE = {"kind": "cpu", "name": "A processor"}


def runs(cell):
    for _ in range(cell["repeat"]):
        begin = time.monotonic()
        time.sleep(0.01)
        yield {"e2e_s": time.monotonic() - begin}


def main():
    with open(3) as requests, open(4, "w") as events:
        def say(kind, **body):
            print(json.dumps({"type": kind, **body}), file=events, flush=True)

        say("hello", version=PROTOCOL_VERSION)
        for line in requests:
            request = json.loads(line)
            if request["type"] == "devices":
                say("device", device=DEVICE)
                say("outcome", outcome={"status": "ok"})
                continue
            told = json.loads(os.environ.get("LEAST_WORKER_TELLS", "{}"))
            result = {"device": DEVICE, "samples": list(runs(request["cell"])), **(told or {})}
            say("outcome", outcome={"status": "ok"} if told is None else {"status": "ok", "result": result})


if __name__ == "__main__":
    main()
