#!/usr/bin/env python3
"""Connects and hangs up, again and again, from many addresses; prints how often it did.

    storm.py PORT SECONDS PER_SECOND LEAST      longer, until it has at least so many
"""

import socket
import sys
import time

AT_ONCE = 50


def connect(port, number):
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")  # leaves no TIME_WAIT behind
    sock.bind((f"127.{1 + number // 60_000 % 200}.{number // 250 % 240}.{2 + number % 250}", 0))
    sock.setblocking(False)
    sock.connect_ex(("127.0.0.1", port))
    return sock


def main(port, seconds, per_second, least):
    began, done = time.monotonic(), 0
    while (spent := time.monotonic() - began) < float(seconds) or done <= int(least):
        socks = [connect(int(port), done + number) for number in range(AT_ONCE)]
        done += AT_ONCE
        time.sleep(max(0.0, done / float(per_second) - spent))
        for sock in socks:
            sock.close()
    print(done)


if __name__ == "__main__":
    main(*sys.argv[1:])
