"""The steps of docker/Dockerfile without Docker: its stages in roots of their own, and its server, which must be well
by its own check and have a game played. Its ports are the image's: nothing else may listen there."""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from fuhyo_server import FuhyoServer  # noqa: E402
from installed import launcher, play_two  # noqa: E402
from roots import copy_of, inside, root_of, run  # noqa: E402
from waiting import eventually  # noqa: E402

IMAGES = {"debian:12": "debian-12", "debian:12-slim": "debian-12"}


def instructions(text):
    """(word, the rest) of each; comments may stand between the lines of one."""
    text = re.sub(r"(?m)^\s*#.*\n", "", text).replace("\\\n", " ")
    return [line.split(None, 1) for line in text.splitlines() if line]


class Stage:
    """What the instructions said so far."""

    def __init__(self, root):
        self.root, self.folder, self.settings, self.user, self.shell = root, "/", {}, "", ["/bin/sh", "-c"]
        self.entry, self.command, self.health = [], [], ""

    def at(self, path):
        """Where that lies for us: never outside the root."""
        place = self.root / os.path.join("/", self.folder, path).lstrip("/")
        assert place.resolve().is_relative_to(self.root), path
        return place

    def words(self, *words):
        """Of a process in it, as its user."""
        uid, _, gid = self.user.partition(":")
        rights = ["setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups"] if uid else []
        return inside(self.root, *rights, *words, folder=self.folder, **self.settings)

    def run(self, text, cache):
        """`cache` lies where a mount of a cache is asked for, meanwhile."""
        mount = re.match(r"--mount=type=cache,target=(\S+) (.*)", text)
        if not mount:
            run(*self.words(*self.shell, text))
            return
        cache.mkdir(exist_ok=True)
        place = cache.rename(self.at(mount[1]))
        try:
            run(*self.words(*self.shell, mount[2]))
        finally:
            place.rename(cache)

    def copy(self, sources, target):
        """A folder's content, or files."""
        place = self.at(target)
        place.mkdir(parents=True, exist_ok=True)
        for source in sources:
            run("cp", "-a", f"{source}/." if source.is_dir() else source, place)

    def serve(self, folder):
        """Where its server is well, and somebody plays."""
        script, check = launcher(folder, self.words(*self.entry)), self.words(*self.shell, self.health)
        with FuhyoServer(script, listeners=("csa", "http"), log=folder / "log") as server:
            eventually(lambda: subprocess.run(check, check=False).returncode == 0, "its health")
            play_two(server.csa, self.at(self.settings["FUHYO_DATA"]))


def follow(text, context, folder, cache):
    """The last stage, once all has been done that is said of it."""
    arguments, stages = {}, {}
    for word, rest in instructions(text):
        print(f"image: {word} {rest[:100]}", flush=True)
        if word == "ARG":
            name, _, arguments[name] = rest.partition("=")
        elif word == "FROM":
            image, *name = re.sub(r"\$\{(\w+)\}", lambda match: arguments[match[1]], rest).split()
            (folder / str(len(stages))).mkdir()
            stage = Stage(copy_of(root_of(IMAGES[image], "bare"), folder / str(len(stages))))
            stages[name[-1] if name else ""] = stage
        elif word == "WORKDIR":
            stage.folder = rest
            stage.at(rest).mkdir(parents=True, exist_ok=True)
        elif word == "ENV":
            stage.settings.update(each.split("=", 1) for each in shlex.split(rest))
        elif word == "RUN":
            stage.run(rest, cache)
        elif word == "COPY":
            *sources, target = rest.split()
            beside = sources[0].startswith("--from=") and stages[sources.pop(0).partition("=")[2]]
            stage.copy([beside.at(each) if beside else context / each for each in sources], target)
        elif word == "HEALTHCHECK":
            stage.health = rest.partition("CMD ")[2]
        elif word in ("USER", "SHELL", "ENTRYPOINT", "CMD"):
            name = {"ENTRYPOINT": "entry", "CMD": "command"}.get(word, word.lower())
            setattr(stage, name, rest if word == "USER" else json.loads(rest))
        elif word not in ("VOLUME", "EXPOSE"):
            sys.exit(f"docker/Dockerfile: nobody here knows {word}")
    return stage


def try_image(project):
    cache = root_of("debian-12", "bare").parent
    with tempfile.TemporaryDirectory(dir=cache, prefix="image-") as folder:
        folder = Path(folder)
        (folder / "context").mkdir()
        run("git", "-c", "safe.directory=*", "-C", project, "archive", "-o", folder / "context.tar", "HEAD")
        run("tar", "-x", "-f", folder / "context.tar", "-C", folder / "context")
        stage = follow((project / "docker/Dockerfile").read_text(encoding="utf-8"), folder / "context", folder,
                       cache / "image-cache")
        assert stage.command == ["serve"], stage.command  # as the server of all tests is started
        stage.serve(folder)
