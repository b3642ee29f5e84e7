"""Records when a worker's events arrive, as seen from outside.

    event_times.py WORKER FILE        sdbench starts this instead of WORKER: a line of FILE for each event
    event_times.py silence FILE       the longest silence within the last timed run, and the run; exit code 1 if it exceeds half of the run
    event_times.py span FILE          seconds from the first event of the last worker to its last
"""
import json
import os
import signal
import subprocess
import sys
import time

REQUESTS, EVENTS = 3, 4  # a worker's pipes, see include/sdbench/base/executor/messages.h


def relay(worker, file):
    read_end, write_end = os.pipe()
    child = subprocess.Popen([worker], pass_fds=(REQUESTS, EVENTS), preexec_fn=lambda: os.dup2(write_end, EVENTS))
    os.close(write_end)
    os.close(REQUESTS)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # only the worker obeys it: its events must pass until its end
    with open(read_end, "rb") as events, open(file, "a") as times:
        for line in events:
            event = json.loads(line)
            kept = {name: event[name] for name in ("type", "stage", "run", "step", "first_image") if name in event}
            print(json.dumps({"at": time.monotonic(), **kept}), file=times, flush=True)
            while line:
                line = line[os.write(EVENTS, line):]
    return child.wait()


def last_worker(file):
    with open(file) as lines:
        events = [json.loads(line) for line in lines]
    begin = max(number for number, event in enumerate(events) if event["type"] == "hello")
    return events[begin:]


def silence(events):
    ends = [number for number, event in enumerate(events) if event["type"] == "sample"][-2:]
    if len(ends) < 2:
        print("no timed run was told")
        return 1
    times = [event["at"] for event in events[ends[0]:ends[1] + 1]]
    longest = max(later - earlier for earlier, later in zip(times, times[1:]))
    run = times[-1] - times[0]
    print(f"in a run of {run:.2f} s with {len(times) - 2} words of steps the longest silence was {longest:.2f} s")
    return int(longest > run / 2)


def main():
    what, file = sys.argv[1:]
    if what == "silence":
        return silence(last_worker(file))
    if what == "span":
        events = last_worker(file)
        print(f"{events[-1]['at'] - events[0]['at']:.2f}")
        return 0
    return relay(what, file)


if __name__ == "__main__":
    sys.exit(main())
