"""How system tests wait for what must come. Only a hang reaches the limit: no test depends on how fast the machine is,
so a shorter one is written nowhere."""

import time

PATIENCE_S = 300


def eventually(condition, what):
    """What the condition said in the end, once it is true; it is asked every few hundredths of a second. `what` (a
    text, or a function that makes one) says what was waited for in vain."""
    deadline = time.monotonic() + PATIENCE_S
    while not (said := condition()):
        assert time.monotonic() < deadline, f"not within {PATIENCE_S} s: {what() if callable(what) else what}"
        time.sleep(0.02)
    return said
