"""Keys and certificates of a test's own, made with OpenSSL's program."""

import subprocess
from dataclasses import dataclass
from pathlib import Path


def openssl(*words, **options):
    return subprocess.run(["openssl", *map(str, words)], capture_output=True, check=True, **options)


@dataclass
class Pair:
    certificate: Path
    key: Path

    @property
    def flags(self):
        return ["--tls-cert", str(self.certificate), "--tls-key", str(self.key)]


def make_pair(folder, name, *, kind="ec", days=90, host="localhost"):
    """A certificate that signs itself, for `host` and 127.0.0.1; its common name is `name`."""
    pair = Pair(folder / f"{name}.pem", folder / f"{name}.key")
    algorithm = {"ec": ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], "rsa": ["rsa:2048"]}[kind]
    openssl("req", "-x509", "-newkey", *algorithm, "-nodes", "-keyout", pair.key, "-out", pair.certificate,
            "-days", days, "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{host},IP:127.0.0.1")
    pair.key.chmod(0o600)
    return pair


EXPIRED_CA = """
[ca]
default_ca = here
[here]
database = {folder}/index.txt
new_certs_dir = {folder}
rand_serial = yes
default_md = sha256
policy = names
[names]
commonName = supplied
"""


def make_expired_pair(folder, name):
    """A pair that was valid for one day of the year 2020; OpenSSL's other commands make none that is over."""
    pair = Pair(folder / f"{name}.pem", folder / f"{name}.key")
    config, request = folder / "ca.conf", folder / f"{name}.csr"
    config.write_text(EXPIRED_CA.format(folder=folder), encoding="utf-8")
    (folder / "index.txt").write_text("", encoding="utf-8")
    openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", pair.key,
            "-out", request, "-subj", f"/CN={name}")
    openssl("ca", "-batch", "-selfsign", "-notext", "-config", config, "-keyfile", pair.key, "-in", request,
            "-out", pair.certificate, "-startdate", "20200101000000Z", "-enddate", "20200102000000Z")
    return pair
