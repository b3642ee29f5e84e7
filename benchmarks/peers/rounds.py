"""sdbench and its peers measured in rounds: in each one everybody has a turn, and whoever comes first is another one each time."""
import json
import shutil
import sys

import agreement
from participants import Failed


def say(words):
    print(f"sdbench benchmark: {words}", file=sys.stderr, flush=True)


class Rounds:
    def __init__(self, work, scratch, rows_file):
        self.work = work
        self.scratch = scratch
        self.rows_file = rows_file
        self.rows = {}  # by participant's name, then by round
        self.output = None  # sdbench's
        self.agreements = {}  # of the peers
        self.failures = {}  # words, of those who were given up

    def run(self, sdbench, peers, count):
        """Ends early without sdbench; a peer that fails is left out from there on."""
        queue = [sdbench, *peers]  # sdbench first: its row tells where the peers compute
        try:
            for place in range(count):
                for participant in list(queue):
                    try:
                        self.turn(participant, place)
                    except Failed as failure:
                        say(f"round {place + 1}: {participant.name} is left out: {failure}")
                        self.failures[participant.name] = str(failure)
                        queue.remove(participant)
                        if participant is sdbench:
                            return
                queue.append(queue.pop(0))
        finally:
            for peer in peers:
                peer.stop()

    def turn(self, participant, place):
        name = participant.name
        images = self.scratch / f"images-{name}"
        latents = images.with_suffix(".safetensors")
        outputs = []
        looked_at = place == 0 or not participant.stays  # else the process is one whose image was looked at
        if looked_at:
            shutil.rmtree(images, ignore_errors=True)
            outputs = ["--dump-latents", latents, "--save-images", images]
        row = {**participant.measure(self.work, outputs, self.rows.get("sdbench", {}).get(0)), "round": place + 1}
        try:
            found = self.look_at(name, agreement.read_output(latents, images)) if looked_at else None
            if found:
                row["note"] += f"; differs from sdbench's latents by {100 * found.latents:.2g} %, pixels by {found.pixels:.2g} of 255"
        finally:  # what was measured is kept, whatever its image is
            with open(self.rows_file, "a") as file:
                file.write(json.dumps(row) + "\n")
        self.rows.setdefault(name, {})[place] = row
        say(f"round {place + 1}: {name}, end to end {row['e2e_s']:.3g} s")

    def look_at(self, name, output):
        """How far a peer's is from sdbench's; None for sdbench itself."""
        if name == "sdbench":
            self.output = output
            return None
        found = agreement.compare(self.output, output, self.work.rounding)
        if name not in self.agreements or not found.holds:  # one turn that does not is enough
            self.agreements[name] = found
        return found
