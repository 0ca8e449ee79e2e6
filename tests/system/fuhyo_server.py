"""A server of a system test's own: started on free ports, known by its address, stopped by its pid."""

import subprocess

STOP_S = 60


class ServerFault(Exception):
    """The server did not start or did not stop as it should."""


class FuhyoServer:
    """`fuhyo serve FLAG...`; where it listens is in `address` (CSA). A context manager, or stop() it."""

    def __init__(self, program, *flags, log=subprocess.DEVNULL):
        self.process = subprocess.Popen([program, "serve", *flags], stdout=subprocess.PIPE, stderr=log, text=True)
        self.address = next((line.strip().removeprefix("listening csa=") for line in self.process.stdout
                             if line.startswith("listening csa=")), None)
        if self.address is None:
            self.process.wait(STOP_S)
            self.process.stdout.close()
            raise ServerFault("the server did not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Again does no harm. Fails if it does not end, or not well."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            code = self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise ServerFault(f"the server did not stop within {STOP_S} s") from None
        finally:
            self.process.stdout.close()
        if code != 0:
            raise ServerFault(f"the server ended with {code}")
