"""Headless Chromium, spoken to over a pair of pipes (the DevTools protocol)."""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys

from waiting import eventually

NO_PAGE = ("context", "navigated")  # in the errors of a page that is just being left


def run_in_browser(main):
    """Ends as `main` does with the words of the command line; with 77 if there is no browser."""
    if shutil.which("chromium") is None:
        print("skipped: chromium is not installed")
        sys.exit(77)
    sys.exit(main(*sys.argv[1:]))


def shows(text):
    return f"document.body.innerText.includes({json.dumps(text)})"


class Browser:
    """`site`: HOST:PORT of go()."""

    def __init__(self, folder, *more, site=""):
        self.site = site
        ours_out, self.commands = os.pipe()
        self.answers, ours_in = os.pipe()
        # The browser expects its ends of the pipes at 3 and 4: from elsewhere, lest one overwrites the other.
        theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (ours_out, ours_in)]
        shell = "exec \"$0\" \"$@\" 3<&{} 4>&{}".format(*theirs)
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync", "--lang=en-US",
                 "--window-size=1280,860", f"--user-data-dir={folder}", "--remote-debugging-pipe", *more, "about:blank"]
        self.process = subprocess.Popen(["bash", "-c", shell, "chromium", *flags], pass_fds=theirs,
                                        stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)
        for end in (ours_out, ours_in, *theirs):
            os.close(end)
        self.buffer, self.last_id, self.events = b"", 0, []
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self.session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method, params=None):
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": params or {}}
        if hasattr(self, "session"):
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.last_id:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def read(self):
        while b"\0" not in self.buffer:
            part = os.read(self.answers, 1 << 16)
            if not part:
                raise RuntimeError("the browser has gone")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def evaluate(self, expression):
        return self.call("Runtime.evaluate", {"expression": expression, "returnByValue": True,
                                              "awaitPromise": True})["result"].get("value")

    def go(self, path):
        """Another page, or the same anew; returns when it is there. The path with its query, as it stands in the
        address; or the whole address of a file."""
        self.evaluate("window.left = true")
        self.call("Page.navigate", {"url": path if path.startswith("file:") else f"http://{self.site}{path}"})
        self.wait_for("window.left === undefined && document.readyState === 'complete'"
                      " && document.querySelector('main, .alone') !== null", f"{path} does not come")

    def wait_for(self, expression, what="no"):
        """Until the page says that it is so; `what` says what is wrong if it never does, unless that is plain."""
        def is_so():
            try:
                return self.evaluate(expression)
            except RuntimeError as fault:
                if not any(word in str(fault) for word in NO_PAGE):
                    raise
        eventually(is_so, lambda: f"{what}: not {expression}; {self.evaluate('location.href')} says:\n"
                   f"{self.evaluate('document.body.innerText')}")

    def click(self, selector):
        found = f"document.querySelector({json.dumps(selector)})"
        self.wait_for(f"{found} !== null", f"there is no {selector}")
        self.evaluate(f"{found}.click()")

    def press(self, label, within="document"):
        button = f"[...{within}.querySelectorAll('button')].find((one) => one.innerText.trim() === {json.dumps(label)})"
        self.wait_for(button + " !== undefined", f"there is no button {label}")
        self.evaluate(button + ".click()")

    def key(self, key):
        self.evaluate(f"document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}}))")

    def set_value(self, expression, value, event="input"):
        self.evaluate(f"""(() => {{
            const field = {expression}
            field.value = {json.dumps(value)}
            field.dispatchEvent(new Event('{event}', {{bubbles: true}}))
        }})()""")

    def fill(self, selector, text):
        self.set_value(f"document.querySelector({json.dumps(selector)})", text)

    def look_like(self, width, height, *, mobile=False, scale=1, scheme=None):
        self.call("Emulation.setDeviceMetricsOverride",
                  {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": mobile})
        if scheme:
            self.call("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def prefer(self, languages):
        agent = self.evaluate("navigator.userAgent")
        self.call("Emulation.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": languages})

    def settle(self):
        """Whatever fades in or out has done so, and it is drawn."""
        self.wait_for("(document.getAnimations()"
                      ".filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime))"
                      ".forEach((one) => one.finish()), new Promise((done) => requestAnimationFrame(() =>"
                      " requestAnimationFrame(() => done(true)))))", "nothing is drawn")

    def complaints(self):
        """What the console holds: errors of scripts, violations of the content policy."""
        found = []
        for event in self.events:
            if event.get("method") == "Runtime.exceptionThrown":
                details = event["params"]["exceptionDetails"]
                found.append(f"{details['text']} {details.get('exception', {}).get('description', '')}")
            entry = event.get("params", {}).get("entry", {})
            if entry.get("source") in ("security", "javascript", "violation"):
                found.append(entry["text"])
        return found

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
