"""Those who only look: they ask for a game as it stands, again and again, and follow nothing."""

import http.client
import threading
import time

from waiting import PATIENCE_S


class Lookers:
    """`threads` of them ask (host, port) for `path`, each as soon as it has its answer, for so many seconds. With
    `again` they name what they have (If-None-Match)."""

    def __init__(self, address, path, seconds, *, again=False, threads=4):
        self.address, self.path, self.again = address, path, again
        self.until = time.monotonic() + seconds
        self.looks = self.bytes = self.asked = self.unchanged = 0
        self.lock = threading.Lock()
        crew = [threading.Thread(target=self.look) for _ in range(threads)]
        for one in crew:
            one.start()
        for one in crew:
            one.join()

    def look(self):
        connection, tag = http.client.HTTPConnection(*self.address, timeout=PATIENCE_S), None
        while time.monotonic() < self.until:
            connection.request("GET", self.path, headers={"If-None-Match": tag} if tag and self.again else {})
            answer = connection.getresponse()
            body = answer.read()
            tag = answer.headers["ETag"]
            with self.lock:
                self.looks += 1
                self.bytes += len(body) + sum(len(name) + len(value) + 4 for name, value in answer.getheaders())
                self.unchanged += answer.status == 304
                self.asked += answer.headers.get("X-Cache", "MISS") in ("MISS", "EXPIRED")
        connection.close()
