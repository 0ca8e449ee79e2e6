"""HTTP of a system test: a question a connection, streams of events, visitors who log in."""

import http.client
import json

from waiting import PATIENCE_S


class Answer:
    """`status`, `headers`, `body` (bytes)."""

    def __init__(self, answer):
        self.status, self.headers, self.body = answer.status, answer.headers, answer.read()

    @property
    def text(self):
        return self.body.decode("utf-8", "replace")

    def json(self):
        return json.loads(self.body)


def connect(address, context=None):
    """To (host, port); under TLS with the `context` of a client."""
    if context:
        return http.client.HTTPSConnection(*address, timeout=PATIENCE_S, context=context)
    return http.client.HTTPConnection(*address, timeout=PATIENCE_S)


def ask(address, path, *, method="GET", body=None, headers=None, context=None):
    """The Answer. `body` is sent as JSON."""
    connection = connect(address, context)
    try:
        text = None if body is None else json.dumps(body)
        connection.request(method, path, text, {"Content-Type": "application/json", **(headers or {})})
        return Answer(connection.getresponse())
    finally:
        connection.close()


class EventStream:
    """What a page hears of live games. A context manager, or close() it."""

    def __init__(self, address):
        self.connection = connect(address)
        self.connection.request("GET", "/api/v1/events")
        self.answer = self.connection.getresponse()
        self.heard = []  # lines

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def line(self):
        """The next one, without its end; fails if the server has closed."""
        line = self.answer.fp.readline().decode()
        assert line, f"the stream has ended: {self.heard}"
        self.heard.append(line.strip())
        return self.heard[-1]

    def next(self, name):
        """The data of the next event of this name; others are passed over."""
        while self.line() != f"event: {name}":
            pass
        while not (data := self.line()).startswith("data: "):
            pass
        return json.loads(data.removeprefix("data: "))

    def close(self):
        self.connection.close()


class Visitor:
    """Somebody at a page, who keeps the cookie and the CSRF token."""

    def __init__(self, address, context=None, **headers):
        self.address, self.context, self.headers = address, context, headers
        self.cookie = self.csrf = ""

    def ask(self, method, path, body=None, **headers):
        """The Answer. A header that is None is left out."""
        asked = {**self.headers, "Cookie": self.cookie or None, "X-Fuhyo-CSRF": self.csrf or None, **headers}
        connection = connect(self.address, self.context)
        try:
            connection.request(method, path, None if method == "GET" else json.dumps(body or {}),
                               {key: value for key, value in {"Content-Type": "application/json", **asked}.items()
                                if value is not None})
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def log_in(self, name, password, code=None):
        """The Answer; once it is 204, the visitor is logged in."""
        answer = self.ask("POST", "/api/v1/session",
                          {"name": name, "password": password, **({} if code is None else {"code": code})})
        if answer.status == 204:
            self.cookie = answer.headers["Set-Cookie"].split(";")[0]
            self.csrf = self.ask("GET", "/api/v1/session").json()["csrf"]
        return answer

    def command(self, text, **headers):
        """(status, what the server says)"""
        answer = self.ask("POST", "/api/v1/admin", {"command": text}, **headers)
        return answer.status, answer.json()
