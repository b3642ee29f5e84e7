"""Headless Chromium, spoken to in the DevTools protocol over a pair of pipes: no port, no package beside Chromium itself."""

import base64
import json
import os
import select
import shutil
import subprocess
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find_chromium():
    """Tests of pages fail without a browser, they do not skip; SDBENCH_CHROMIUM names another one."""
    found = os.environ.get("SDBENCH_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    assert found, "these tests need Chromium: apt-get install chromium, or name one in SDBENCH_CHROMIUM"
    return found


class Browser:
    """One browser with one page; what went wrong in it is gathered."""

    def __init__(self, folder):
        here_reads, browser_writes = os.pipe()
        browser_reads, here_writes = os.pipe()
        self.reads, self.writes = here_reads, here_writes
        command = [find_chromium(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
                   "--force-device-scale-factor=1", f"--user-data-dir={folder / 'profile'}", "--remote-debugging-pipe", "about:blank"]
        # The protocol wants exactly these two descriptors.
        self.process = subprocess.Popen(["bash", "-c", f'exec "$@" 3<&{browser_reads} 4>&{browser_writes}', "bash", *command],
                                        pass_fds=(browser_reads, browser_writes), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(browser_reads)
        os.close(browser_writes)
        self.bytes = b""
        self.count = 0
        self.events = []
        self.shows = None  # for who opens a page once for several tests
        self.session = None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(f"{domain}.enable")

    def close(self):
        os.close(self.writes)  # the browser ends with its pipe
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.reads)

    def message(self, deadline):
        while b"\0" not in self.bytes:
            ready, _, _ = select.select([self.reads], [], [], max(0, deadline - time.monotonic()))
            assert ready, "the browser does not answer"
            chunk = os.read(self.reads, 1 << 20)
            assert chunk, "the browser has ended"
            self.bytes += chunk
        line, self.bytes = self.bytes.split(b"\0", 1)
        return json.loads(line)

    def ask(self, method, timeout=60, **params):
        self.count += 1
        request = {"id": self.count, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.writes, json.dumps(request).encode() + b"\0")
        deadline = time.monotonic() + timeout
        while True:
            answer = self.message(deadline)
            if answer.get("id") == self.count:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            self.events.append(answer)

    def open(self, file):
        """Opens the page, and returns the seconds until it is loaded and drawn."""
        self.events.clear()
        self.shows = None
        start = time.monotonic()
        self.ask("Page.navigate", url=file.resolve().as_uri())
        deadline = start + 60
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message(deadline))
        return time.monotonic() - start

    def evaluate(self, expression):
        """The value of a JavaScript expression; promises are waited for."""
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def wait_for(self, expression, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if value := self.evaluate(expression):
                return value
            time.sleep(0.05)
        raise AssertionError(f"waited in vain for {expression}")

    def key(self, key, code, text=""):
        """Presses a key as a keyboard does."""
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **({"text": text} if text and kind == "keyDown" else {}))

    def size(self, width, height, mobile=False):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def prefer(self, scheme):
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, file, whole=True):
        """A PNG of the page, or of what is seen of it."""
        more = {}
        if whole:
            content = self.ask("Page.getLayoutMetrics")["cssContentSize"]
            more = {"captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": content["width"], "height": min(content["height"], 16000), "scale": 1}}
        file.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", format="png", **more)["data"]))

    def complaints(self):
        """Errors and warnings of the console, exceptions, and breaches of the page's policy."""
        found = []
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                details = params["exceptionDetails"]
                found.append(details.get("exception", {}).get("description") or details["text"])
            elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
                found.append(str(params["args"]))
            elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                found.append(params["entry"]["text"])
        return found

    def requests(self):
        return [event["params"]["request"]["url"] for event in self.events if event.get("method") == "Network.requestWillBeSent"]
