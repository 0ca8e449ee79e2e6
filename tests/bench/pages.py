#!/usr/bin/env python3
"""What the pages cost a browser: the first load, frames with nine boards that move, the heap after hours of games.

    ./dev bench pages [load] [many] [frames] [heap] [--bin build/bin] [--loads N] [--seconds N] [--events N]
                  [--throttle N] [--web-root DIR] [--smoke]

Real servers, real games (bench_load), Chromium without a screen and without a graphics card.

  load    bytes of scripts and of everything as they come over the wire, and the time from the beginning of the
          navigation to two frames after the page has drawn its boards and follows the stream of events; fresh profiles
  many    the same time with 40 games that run, the processor throttled as for frames from the beginning on, the longest
          task until two seconds later, and the bytes of the stream of events by then
  frames  the wall with 9 games, each a move every 100 ms, with the processor throttled to a quarter (DevTools;
          --throttle 1: not at all); and the same page while nothing happens. Frames are those of requestAnimationFrame,
          of which Chromium makes 60 a second. `work` is the processor time (not the time on the clock, which other
          programs lengthen) of the page's main thread between two of them, which is traced afterwards, and costs
          something, too: a page that is fast enough stays below 16.7 ms
  heap    the wall while games open and end: JavaScript's heap after garbage collection, nodes, listeners of events (the
          least of ten looks, since games come and go), and what the page's script keeps in that heap, without the
          code that is compiled as time goes on

Exit code 1: more than 60 KB of scripts, a median above 1 s; more than 1 % of the frames with more work than 16.7 ms; a
page whose objects, nodes or listeners have grown by more than a tenth from a quarter of the events to all of them.
--smoke: no figure is a fault. Exit code 77: there is no chromium.
"""

import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "support"), str(TESTS / "system")]
import under_load  # noqa: E402
from browser import Browser  # noqa: E402

SCRIPT_BYTES = 60_000
INTERACTIVE_MS = 1_000
FRAME_MS = 1_000 / 60
LATE_SHARE = 0.01
GROWTH = 1.1
BOARDS = 9
MANY = 40
# Runs before the page's own script.
MARKS = """
performance.mark('begin')
new MutationObserver((_, observer) => {
    if (!document.querySelector('.connection.live') || !document.querySelector('article svg .piece')) return
    observer.disconnect()
    requestAnimationFrame(() => requestAnimationFrame(() => (window.interactive = performance.now())))
}).observe(document, {childList: true, subtree: true, attributes: true})
const listen = EventSource.prototype.addEventListener
window.heard = 0
EventSource.prototype.addEventListener = function (name, take, ...more) {
    return listen.call(this, name, (event) => ((window.heard += name !== 'open'), take(event)), ...more)
}
localStorage.setItem('fuhyo', JSON.stringify({boards: '9'}))
window.longest = 0
new PerformanceObserver((list) => list.getEntries().forEach(({duration}) => {
    window.longest = Math.max(window.longest, duration)
})).observe({type: 'longtask', buffered: true})
"""


class Chromium(Browser):
    """With a page in a profile of its own, of which there may be many."""

    def at_browser(self, method, params=None):
        session = self.__dict__.pop("session")
        try:
            return self.call(method, params)
        finally:
            self.session = session

    def fresh_page(self):
        profile = self.at_browser("Target.createBrowserContext")["browserContextId"]
        target = self.at_browser("Target.createTarget", {"url": "about:blank", "browserContextId": profile,
                                                         "width": 1600, "height": 1000})["targetId"]
        self.session = self.at_browser("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Performance", "HeapProfiler"):
            self.call(f"{domain}.enable")
        self.call("Page.addScriptToEvaluateOnNewDocument", {"source": MARKS})
        self.events.clear()
        return profile

    def drop(self, profile):
        self.at_browser("Target.disposeBrowserContext", {"browserContextId": profile})

    def wait(self, expression, limit_s=60):
        end = time.monotonic() + limit_s
        while not (value := self.evaluate(expression)):
            if time.monotonic() > end:
                sys.exit(f"not within {limit_s} s: {expression}")
            time.sleep(0.05)
        return value

    def traced(self, seconds):
        """What Chromium says of its tasks meanwhile."""
        self.events.clear()
        categories = ["blink.user_timing", "disabled-by-default-devtools.timeline"]
        self.at_browser("Tracing.start",
                        {"transferMode": "ReportEvents", "traceConfig": {"includedCategories": categories}})
        time.sleep(seconds)
        self.at_browser("Tracing.end")
        events = []
        while True:
            for message in self.events:
                if message.get("method") == "Tracing.dataCollected":
                    events += message["params"]["value"]
            if any(message.get("method") == "Tracing.tracingComplete" for message in self.events):
                return events
            self.events = [self.read()]


@contextmanager
def games_at(options, pace_ms, plies, rounds, pairs=BOARDS):
    """A server where they are played; its HTTP address."""
    with under_load.serving(options, *options.web_root, listeners=("csa", "http")) as server, under_load.loading(
            options, server.csa[1], "--pairs", pairs, "--pace-ms", pace_ms, "--plies", plies, "--rounds", rounds,
            "--limit", 3000):
        yield "http://{}:{}".format(*server.http)


def open_wall(browser, address):
    browser.call("Page.navigate", {"url": address})
    return browser.wait("window.interactive")


def bytes_loaded(browser):
    """By kind, as they came over the wire, and how scripts were packed."""
    kinds, sizes, packed = {}, Counter(), set()
    browser.evaluate("0")
    for message in browser.events:
        told = message.get("params", {})
        if message.get("method") == "Network.responseReceived":
            kinds[told["requestId"]] = told["type"]
            if told["type"] == "Script":
                packed.add(told["response"]["headers"].get("Content-Encoding", "plain"))
        if message.get("method") == "Network.loadingFinished":
            sizes[kinds.get(told["requestId"], "?")] += told["encodedDataLength"]
    return sizes, packed


def measure_load(options, browser):
    times, sizes, packed = [], Counter(), set()
    with games_at(options, 500, 160, 9) as address:
        for _ in range(options.loads):
            profile = browser.fresh_page()
            times.append(open_wall(browser, address))
            sizes, packed = bytes_loaded(browser)
            browser.drop(profile)
    median = under_load.median(times)
    print(f"| scripts, {'/'.join(sorted(packed))} | {sizes['Script'] / 1000:.1f} KB |")
    print(f"| everything before the stream of events | {sum(sizes.values()) / 1000:.1f} KB |")
    print(f"| interactive, {len(times)} fresh profiles: median, slowest | {median:.0f}, {max(times):.0f} ms |",
          flush=True)
    return (["more scripts than allowed"] if sizes["Script"] > SCRIPT_BYTES or packed != {"br"} else []) + (
        ["not interactive in time"] if median > INTERACTIVE_MS else [])


def measure_many(options, browser):
    """Games of 80 moves that go on slowly, so that a snapshot is as large as it is in an evening."""
    times, longest, sizes = [], [], []
    with games_at(options, 200, 160, 9, MANY) as address:
        profile = browser.fresh_page()
        open_wall(browser, address)
        browser.wait("[...document.querySelectorAll('article .plies')].some((one) => Number(one.innerText) >= 80)", 300)
        browser.drop(profile)
        for _ in range(options.loads):
            profile = browser.fresh_page()
            browser.call("Emulation.setCPUThrottlingRate", {"rate": options.throttle})
            times.append(open_wall(browser, address))
            browser.wait("document.querySelector('.blank') === null")  # every board is drawn
            longest.append(browser.evaluate("window.longest"))
            stream = {message["params"]["requestId"] for message in browser.events
                      if message.get("params", {}).get("type") == "EventSource"}
            sizes.append(sum(message["params"]["encodedDataLength"] for message in browser.events
                             if message.get("method") == "Network.dataReceived"
                             and message["params"]["requestId"] in stream))
            browser.drop(profile)
    middle = list(map(under_load.median, (times, longest, sizes)))
    print(f"| {MANY} games, a throttle of {options.throttle:.0f}: first boards; longest task; stream |"
          f" {middle[0]:.0f} ms; {middle[1]:.0f} ms; {middle[2] / 1000:.0f} KB |", flush=True)
    return []


def work_of(trace):
    """Processor time of the page's main thread from frame to frame, in ms."""
    frames = [event for event in trace if event["name"] == "frame"]
    if not frames:
        sys.exit("the trace has no frames")
    page = frames[0]["pid"], frames[0]["tid"]
    starts = sorted(event["ts"] for event in frames)
    tasks = sorted((event["ts"], event.get("tdur", event["dur"])) for event in trace
                   if event["name"] == "RunTask" and event["ph"] == "X" and (event["pid"], event["tid"]) == page)
    work, at = [0.0] * (len(starts) - 1), 0
    for begin, took in tasks:
        while at < len(work) and begin >= starts[at + 1]:
            at += 1
        if at < len(work) and begin >= starts[at]:
            work[at] += took / 1000
    return work


def measure_frames(options, browser):
    faults = []
    for name, pace_ms in (("nothing happens", 3_600_000), (f"{BOARDS} boards, a move every 100 ms in each", 100)):
        with games_at(options, pace_ms, 160, 100) as address:
            profile = browser.fresh_page()
            open_wall(browser, address)
            browser.wait(f"document.querySelectorAll('article').length === {BOARDS}")
            browser.evaluate("window.drawn = []; (function frame(now) "
                             "{ window.marking ? performance.mark('frame') : window.drawn.push(now);"
                             " requestAnimationFrame(frame) })(0)")
            browser.call("Emulation.setCPUThrottlingRate", {"rate": options.throttle})
            time.sleep(2)
            before = browser.evaluate("window.drawn.length = 0, window.heard")
            time.sleep(options.seconds)  # unwatched: a trace costs the page something, too
            heard, drawn = browser.evaluate("[window.heard, window.drawn]")
            browser.evaluate("window.marking = true")
            work = work_of(browser.traced(options.seconds))
            intervals = [after - at for at, after in zip(drawn, drawn[1:])]
            browser.drop(profile)
        faults += told_frames(name, intervals, work, heard - before)
    return faults


def told_frames(name, intervals, work, heard):
    seconds = sum(intervals) / 1000
    over = sum(took > FRAME_MS for took in work) / len(work)
    late = sum(took > 1.5 * FRAME_MS for took in intervals) / len(intervals)
    ordered = sorted(work)
    print(f"| {name} | {heard / seconds:.0f} | {len(intervals) / seconds:.1f}"
          f" | {100 * late:.1f} %, {max(intervals):.0f} ms"
          f" | {ordered[len(work) // 2]:.1f}, {ordered[int(0.99 * len(work))]:.1f}, {ordered[-1]:.1f} ms"
          f" | {100 * over:.1f} % |", flush=True)
    return [f"{name}: too much work"] if over > LATE_SHARE else []


def least_held(browser):
    """(bytes, nodes, listeners) after garbage collection; the least of some looks, since games come and go."""
    looks = []
    for _ in range(10):
        browser.call("HeapProfiler.collectGarbage")
        heap = browser.call("Runtime.getHeapUsage")["usedSize"]
        counts = {each["name"]: each["value"] for each in browser.call("Performance.getMetrics")["metrics"]}
        looks.append((heap, counts["Nodes"], counts["JSEventListeners"]))
        time.sleep(0.2)
    return tuple(map(min, zip(*looks)))


def objects_held(browser):
    """Bytes of what the page's script keeps: the heap without compiled code and without what is Chromium's own."""
    browser.events.clear()
    browser.call("HeapProfiler.collectGarbage")
    browser.call("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    parts = (message["params"]["chunk"] for message in browser.events
             if message.get("method") == "HeapProfiler.addHeapSnapshotChunk")
    told = json.loads("".join(parts))
    browser.events.clear()
    meta, nodes = told["snapshot"]["meta"], told["nodes"]
    fields, kinds = meta["node_fields"], meta["node_types"][0]
    kind, size = fields.index("type"), fields.index("self_size")
    return sum(nodes[at + size] for at in range(0, len(nodes), len(fields))
               if kinds[nodes[at + kind]] not in ("code", "native", "hidden", "synthetic"))


def measure_heap(options, browser):
    sizes = {}
    with games_at(options, 15, 40, 100_000) as address:
        profile = browser.fresh_page()
        open_wall(browser, address)
        for events in sorted({options.events // 20, options.events // 4, options.events // 2, options.events}):
            browser.wait(f"window.heard >= {events}", 600)
            seen = browser.evaluate("window.heard")
            objects, (heap, nodes, listeners) = objects_held(browser), least_held(browser)
            sizes[events] = objects, nodes, listeners
            print(f"| {seen} | {heap / 1e6:.2f} MB | {objects / 1e6:.2f} MB | {nodes:.0f} | {listeners:.0f} |",
                  flush=True)
            browser.events.clear()
        browser.drop(profile)
    early, late = sizes[options.events // 4], sizes[options.events]
    return [f"{what} grow" for what, before, after in zip(("objects", "nodes", "listeners"), early, late)
            if after > GROWTH * before]


PARTS = {
    "load": (measure_load, "| first load | |\n| --- | --- |"),
    "many": (measure_many, "| many games | |\n| --- | --- |"),
    "frames": (measure_frames, "| the wall, throttled | events/s | frames/s | later than 1.5 frames, longest"
               " | work a frame: p50, p99, most | above 16.7 ms |\n| --- | --- | --- | --- | --- | --- |"),
    "heap": (measure_heap, "| events | heap | of that the page's objects | nodes | listeners |\n"
             "| --- | --- | --- | --- | --- |"),
}


def parse():
    parser = under_load.parser(__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="all of them unless named")
    parser.add_argument("--loads", type=int, default=15)
    parser.add_argument("--seconds", type=int, default=15)
    parser.add_argument("--throttle", type=float, default=4)
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--web-root", dest="web_root", default=[], type=lambda folder: ["--web-root", folder],
                        help="other pages than the program's own")
    parser.add_argument("--smoke", action="store_true")
    return parser.parse_args()


def main():
    options, faults = parse(), []
    if shutil.which("chromium") is None:
        print("chromium is not installed")
        return 77
    with tempfile.TemporaryDirectory(prefix="fuhyo-pages-", ignore_cleanup_errors=True) as folder:
        browser = Chromium(os.path.join(folder, "browser"))
        try:
            version = browser.at_browser("Browser.getVersion")["product"]
            print(f"{under_load.machine()}, {version}")
            for part in options.parts or PARTS:
                measure, head = PARTS[part]
                print(f"\n{head}", flush=True)
                faults += measure(options, browser)
        finally:
            browser.close()
    print("\n" + ("; ".join(faults) or "as it has to be"))
    return 1 if faults and not options.smoke else 0


if __name__ == "__main__":
    sys.exit(main())
