#!/usr/bin/env python3
"""How far a build or a lane of tests is: one line on a terminal, written over and over; elsewhere a line a tenth.

    ninja ... | python3 progress.py LABEL       shows ninja's steps so, and passes on what else it prints
"""

import re
import shutil
import sys
import time

STEP = re.compile(r"\[(\d+)/(\d+)\] (.*)")


def minutes(seconds):
    """"4:05"."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


class Progress:
    """`show` says how much of what is done, `say` prints a line beside it, `end` leaves the line as it is."""

    def __init__(self, label, stream=sys.stdout, clock=time.monotonic):
        self.label, self.stream, self.clock = label, stream, clock
        self.on_terminal = stream.isatty()
        self.began, self.tenths, self.shown = clock(), 0, False

    def show(self, done, total, what="", share=None):
        """`share`: of the work that is done, where that is known better than by the count."""
        share = done / total if share is None else share
        took = self.clock() - self.began
        text = f"{self.label}: {done} of {total}, {minutes(took)}"
        if 0.02 < share < 1:
            text += f", {minutes(took / share - took)} left"
        if self.on_terminal:
            width = shutil.get_terminal_size().columns - 1
            self.stream.write("\r\x1b[K" + f"{text}  {what}"[:width])
            self.shown = True
        elif (tenths := int(10 * done / total)) > self.tenths:
            self.tenths = tenths
            self.stream.write(text + "\n")
        self.stream.flush()

    def say(self, line):
        if self.shown:
            self.stream.write("\r\x1b[K")
            self.shown = False
        self.stream.write(line + "\n")
        self.stream.flush()

    def end(self):
        if self.shown:
            self.stream.write("\n")
            self.shown = False


def main():
    progress = Progress(sys.argv[1])
    for line in sys.stdin:
        if step := STEP.match(line):
            progress.show(int(step[1]), int(step[2]), step[3].strip())
        elif line.strip():
            progress.say(line.rstrip("\n"))
    progress.end()


if __name__ == "__main__":
    main()
