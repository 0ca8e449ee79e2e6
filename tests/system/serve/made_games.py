"""Games that no server tells of, for looks of pages that no quick game has: hands full, long names, any clock. The page
hears of them over a stream of events of the browser's own."""

import json

HIRATE = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
# Everything but the kings is in hand, with counts of two digits.
FULL_HANDS = "4k4/9/9/9/9/9/9/9/4K4 b R2B2G2S2N2L10Pr2g2s2n2l8p 1"
ALL_IN_ONE = "4k4/9/9/9/9/9/9/9/4K4 w 2r2b4g4s4n4l18p 1"
LONG = ("W" * 32, "評価値が高い将棋ソフトの名前は三十二文字まで長くなることがある試験", "m" * 31 + "i",
        "Suisho5-Kai.NNUE_2026-threads128")
SHUFFLE = ("+2868HI", "-8262HI", "+6828HI", "-6282HI")
NOW_MS = 1_800_000_000_000
FIELDS = {"total_s": 0, "byoyomi_s": 0, "increment_s": 0, "least_s": 0, "stopwatch_s": 0}
TIMES = ({"total_s": 600, "increment_s": 10}, {}, {"byoyomi_s": 30}, {"total_s": 36_000, "byoyomi_s": 60})


def seat(name, rate=3_912):
    return {"name": name, "id": f"{name}+0123456789abcdef", "builtin": True, "rate": rate}


def shuffling(plies):
    return [f"{SHUFFLE[i % 4]},T{1 + i * i % 29}" for i in range(plies)]


def made_game(number, *, names=None, sfen=FULL_HANDS, plies=0, end=False, time=None):
    """`plies`: of two rooks that go to and fro, from the usual position."""
    black, white = names or (LONG[number % 4], LONG[(number + 1) % 4])
    rule = {**FIELDS, **(TIMES[number % 4] if time is None else time)}
    ended = {"kind": "toryo", "outcome": "black", "line": "%TORYO", "plies": plies, "reason": "", "at_ms": NOW_MS}
    return {
        "id": number, "room": "main", "delay": None, "csa_id": f"game{number}", "rated": True,
        "name": f"{'championship-of-long-names' if number % 2 else 'cup'}-600-10F",
        "black": seat(black), "white": seat(white, 4_000 + number), "time": rule, "white_time": None,
        "declaration": "27", "rules": "official", "max_moves": 512, "start_sfen": HIRATE if plies else sfen,
        "state": "ended" if end else "running", "moves": shuffling(plies),
        "sfen": HIRATE.replace(" b ", " b " if plies % 2 == 0 else " w ") if plies and plies % 4 == 0 else sfen,
        "remaining_s": [rule["total_s"], max(0, rule["total_s"] - 7)], "opened_at_ms": NOW_MS - 3_600_000,
        "turn_since_ms": NOW_MS, "paused_ms": None, "end": ended if end else None,
        "last_comments": ["* 123456 +2868HI", "* -40 -8262HI"],
        "comments": [[ply, f"* {(ply * 37) % 900 - 200} {SHUFFLE[ply % 4]} {SHUFFLE[(ply + 1) % 4]} #{ply * 10_000}"]
                     for ply in range(1, plies + 1)],
    }


def script(games):
    """What a page runs before its own: the stream tells of these games, and each can be asked for, which is counted."""
    return """(() => {
    const made = %s, now = %d
    Date.now = () => now
    window.questions = 0
    window.EventSource = class extends EventTarget {
        readyState = 1
        constructor() {
            super()
            setTimeout(() => {
                this.dispatchEvent(new Event('open'))
                const games = made.map(({comments, ...game}) => game)
                this.dispatchEvent(new MessageEvent('snapshot', {data: JSON.stringify({now_ms: now, games})}))
            })
        }
        close() {}
    }
    const send = window.fetch
    window.fetch = (path, options) => {
        const game = made.find(({id}) => path === `/api/v1/games/${id}`)
        if (!game) return send(path, options)
        window.questions += 1
        return Promise.resolve(Response.json({now_ms: now, game}))
    }
})()""" % (json.dumps(games), NOW_MS)


class MadeGames:
    """What a browser is told of; another one, or none, from the next page on."""

    def __init__(self, browser):
        self.browser, self.told = browser, None

    def tell(self, *games):
        self.forget()
        self.told = self.browser.call("Page.addScriptToEvaluateOnNewDocument", {"source": script(games)})["identifier"]

    def forget(self):
        if self.told:
            self.browser.call("Page.removeScriptToEvaluateOnNewDocument", {"identifier": self.told})
        self.told = None
