"""docker/nginx.conf with several web nodes behind it, and what benchmarks need of it besides."""

import contextlib
import os
import resource
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "system"), str(TESTS / "system" / "reliability"), str(TESTS / "system" / "tls")]
from certificates import make_pair  # noqa: E402
from children import dying_with_us  # noqa: E402
from own_network import program  # noqa: E402
from waiting import eventually  # noqa: E402
from web_client import ask  # noqa: E402

EXAMPLE = TESTS.parent / "docker" / "nginx.conf"
BROTLI = Path("/usr/lib/nginx/modules/ngx_http_brotli_filter_module.so")  # Debian: libnginx-mod-http-brotli-filter
# In the clear for load clients, under TLS with HTTP/2, and with a cache.
CLEAR, TLS, CACHED = 8080, 8443, 8082
# The stream through nginx's own packing: a window that thousands can have at once.
PACKS = """
  brotli on;
  brotli_types text/event-stream;
  brotli_comp_level 4;
  brotli_window 16k;
"""
# docs/operations/caches.md, "One of your own".
CACHE = """
  proxy_cache_path {folder}/cache keys_zone=fuhyo:10m max_size=100m use_temp_path=off;
  server {{
    listen {port};
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Forwarded-Proto $scheme;
    location / {{
      proxy_pass http://web;
      proxy_cache fuhyo;
      proxy_cache_key $scheme$host$request_uri;
      proxy_cache_lock on;
      proxy_cache_use_stale updating;
      add_header X-Cache $upstream_cache_status;
    }}
  }}
"""


def most_files():
    return resource.getrlimit(resource.RLIMIT_NOFILE)[1]


def text_for(folder, nodes, readers, pair):
    """The example's with these addresses and places for so many readers, each of which has two connections."""
    workers = max(2, os.cpu_count(), 1 + 3 * readers // most_files())
    places = min(most_files(), 4 * readers // workers + 500)
    upstream = "".join(f"server {node};\n    " for node in nodes)
    changes = (
        ("pid /tmp/nginx.pid;", f"pid {folder}/nginx.pid;\nuser root;\nworker_processes {workers};"),
        ("worker_connections 8192;", f"worker_connections {places};"),
        ("worker_rlimit_nofile 20000;", f"worker_rlimit_nofile {most_files()};"),
        ("http {\n", "http {\n" + (PACKS if BROTLI.exists() else "") + CACHE.format(folder=folder, port=CACHED)),
        ("server web:8081;\n    ", f"zone web 256k;\n    least_conn;\n    {upstream}"),
        ("  server {\n    listen 8080;\n    return 308 https://$host$request_uri;\n  }\n", ""),
        ("listen 8443 ssl http2;", f"listen {TLS} ssl http2;\n    listen {CLEAR} reuseport backlog=4096;"),
        ("/etc/nginx/tls/fullchain.pem", str(pair.certificate)), ("/etc/nginx/tls/key.pem", str(pair.key)),
        ("limit_conn shares 64;", f"limit_conn shares {2 * readers + 500};"),
        *((f"/tmp/{kind};", f"{folder}/{kind};") for kind in ("client", "proxy", "fastcgi", "uwsgi", "scgi")))
    text = EXAMPLE.read_text(encoding="utf-8")
    for theirs, ours in changes:
        assert theirs in text, f"the example has no {theirs!r}"
        text = text.replace(theirs, ours)
    return (f"load_module {BROTLI};\n" if BROTLI.exists() else "") + text


class Nginx:
    """At `place`, before web nodes at "ADDRESS:PORT". A context manager."""

    def __init__(self, folder, place, nodes, readers):
        folder.mkdir()
        self.place, self.log = place, folder / "nginx.log"
        config = folder / "nginx.conf"
        config.write_text(text_for(folder, nodes, readers, make_pair(folder, "page")), encoding="utf-8")
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*dying_with_us(), *place.words(), program("nginx"), "-c", config, "-e", "stderr", "-g",
                 "daemon off;"], stdout=log, stderr=log)

    def __enter__(self):
        eventually(self.is_up, lambda: f"nginx answers: {self.log.read_text(errors='replace')}")
        return self

    def is_up(self):
        assert self.process.poll() is None, self.log.read_text(errors="replace")
        with contextlib.suppress(OSError):
            return ask((self.place.address, CLEAR), "/healthz").status == 200
        return False

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def processes(self):
        """Of its workers."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return list(map(int, children.read_text(encoding="ascii").split()))
