"""A USI engine that runs, and is asked a question at a time: for benches."""

import shlex
import subprocess
import sys


class UsiEngine:
    """Options, as "Threads=1", are sent before isready."""

    def __init__(self, command, options):
        self.command = [str(word) for word in command]
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask("usi", "usiok")
        for option in options:
            name, _, value = option.partition("=")
            self.send(f"setoption name {name} value {value}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line, answer):
        """Sends a line and returns what came up to the one that begins with the answer."""
        self.send(line)
        lines = []
        for text in self.process.stdout:
            lines.append(text)
            if text.startswith(answer):
                return lines
        sys.exit(f"{shlex.join(self.command)}: ended instead of answering '{line}': {''.join(lines[-3:])}")
