#!/usr/bin/env python3
"""Trains policy and value networks with PyTorch, on a GPU if there is one: the twin of `fuhyo-learn policy`.

    train_policy.py train DATA.samples... --test TEST.samples... -o RUN [--blocks 10 --channels 192 --epochs 8]
    train_policy.py validate policy.nn --test TEST.samples...    what a network finds; without PyTorch
    train_policy.py export policy.nn -o policy.onnx              for other programs; without PyTorch
    train_policy.py page RUN                                     index.html of a run, also of `fuhyo-learn policy`

It needs numpy, and PyTorch 1.13 or later to train. Exit codes: 0 done, 1 failed, 64 wrong flags, 130 stopped.
"""

import argparse
import os
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "python"))

DONE, FAILED, USAGE, STOPPED = 0, 1, 64, 130


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(USAGE, f"{self.prog}: {message}\n")


def number(kind, least, most):
    def read(text):
        value = kind(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text}: {least} to {most} are expected")
        return value
    return read


def arguments(words):
    parser = Parser(prog="train_policy.py", description="Policy and value networks with PyTorch.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    train = verbs.add_parser("train", help="a network out of samples; the same command goes on with what is begun")
    train.add_argument("data", nargs="+", help="files of samples to learn")
    train.add_argument("--test", nargs="+", required=True, help="files of samples to validate with; the first decides")
    train.add_argument("-o", "--output", required=True, help="folder of the run")
    for name, kind, least, most, value, text in TERMS:
        train.add_argument(f"--{name}", type=number(kind, least, most), default=value, help=f"{text} ({value})")
    train.add_argument("--device", default="", help="cuda, cpu ... (cuda if there is one)")
    train.add_argument("--precision", choices=["bf16", "fp32"], help="of the products (bf16 on a GPU, else fp32)")
    validate = verbs.add_parser("validate", help="what a network finds in samples")
    validate.add_argument("network", help="our own container")
    validate.add_argument("--test", nargs="+", required=True)
    validate.add_argument("--lambda", type=number(float, 0, 1), default=0.7, help="of the values' targets (0.7)")
    export = verbs.add_parser("export", help="a container as ONNX")
    export.add_argument("network", help="our own container")
    export.add_argument("-o", "--output", required=True, help="the ONNX file")
    page = verbs.add_parser("page", help="the page of a run")
    page.add_argument("folder")
    return parser.parse_args(words)


# What the network depends on, then the rest: name, kind, least, most, default, help.
NETWORK = [("blocks", int, 0, 100, 5, "blocks of the network"), ("channels", int, 1, 1024, 64, "... its channels"),
           ("value-planes", int, 1, 256, 16, "maps that the value is computed from"),
           ("value-hidden", int, 1, 4096, 128, "... and what they become")]
LEARNING = [("epochs", int, 1, 10000, 8, "passes over the samples"), ("batch", int, 2, 1 << 20, 4096, "of a step"),
            ("pass", int, 0, 1 << 20, 0, "positions over which batch norms take their means; 0: a batch"),
            ("rate", float, 1e-9, 1, 2e-3, "learning rate at first"),
            ("last-rate", float, 0, 1, 1e-5, "... and at the end of a cosine"),
            ("warm-up", int, 0, 10**9, 500, "steps in which it rises"),
            ("decay", float, 0, 1, 0.01, "how fast weights of layers shrink"),
            ("value-weight", float, 0, 1e6, 1.0, "of the values' loss beside that of moves"),
            ("lambda", float, 0, 1, 0.7, "how much of a value is the score; the rest is the result"),
            ("seed", int, 0, 2**31, 1, "of everything that is drawn by lot")]
WORK = [("patience", int, 1, 10**6, 16, "validations without a better one after which it ends"),
        ("validations", int, 1, 10000, 8, "in an epoch"), ("validation", int, 1, 10**9, 10000, "samples of one"),
        ("workers", int, 0, 256, os.cpu_count() or 1, "processes that make examples"),
        ("checkpoint", int, 1, 10**6, 300, "seconds between two checkpoints"),
        ("every", int, 1, 10**6, 10, "seconds between two lines of progress")]
TERMS = NETWORK + LEARNING + WORK


def train(options):
    import numpy as np
    import torch

    import network
    import samples
    import trainer
    from examples import Examples
    given, stopped = vars(options), []
    for name in signal.SIGINT, signal.SIGTERM:
        signal.signal(name, lambda *_: stopped.append(True))
    parts, checksums = [], []
    for name in options.data:
        found, made_by, checksum = samples.read_samples(name)
        print(f"{name}: {len(found)} samples ({made_by})", flush=True)
        parts.append(found)
        checksums.append(f"{checksum:08x}")
    tests = []
    for name in options.test:
        found = samples.read_samples(name)[0]
        # In an order of their own, so that the first ones are of all kinds.
        tests.append((name, found[np.random.default_rng(options.seed).permutation(len(found))]))
    os.makedirs(options.output, exist_ok=True)
    cuda = torch.cuda.is_available()
    device = options.device or ("cuda" if cuda else "cpu")
    work = {name: given[name] for name in ("patience", "validations", "validation")}
    work |= {"checkpoint_s": options.checkpoint, "every_s": options.every, "device": device,
             "precision": options.precision or ("bf16" if device.startswith("cuda") else "fp32")}
    shape = network.Shape(channels=options.channels, blocks=options.blocks, value_planes=options.value_planes,
                          value_hidden=options.value_hidden)
    terms = {name.replace("-", "_"): given[name.replace("-", "_")] for name, *_ in LEARNING}
    terms["precision"] = work["precision"]
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = work["precision"] == "bf16"

    def examples(found):
        told = time.monotonic()

        def tell(made):
            nonlocal told
            if stopped:
                raise trainer.Stopped
            if time.monotonic() - told >= options.every:
                told = time.monotonic()
                print(f"{made} of {len(found)} examples are made", flush=True)
        return Examples(found, given["lambda"], options.output, options.workers, tell)
    try:
        tests = [(name, found, examples(found)) for name, found in tests]
        training = trainer.Training(shape, terms, examples(np.concatenate(parts)), checksums, tests, options.output,
                                    work, lambda line: print(line, flush=True))
        training.run(lambda: stopped)
    except trainer.Stopped:
        print("stopped; the same command goes on")
        return STOPPED
    print(f"{training.file('policy.nn')}: {training.step} steps, the best loss was {training.best:.4f}")
    return DONE


def validate(options):
    import json

    import network
    import samples
    import validation
    from examples import Examples
    shape, tensors, _ = network.read_container(options.network)
    for name in options.test:
        found = samples.read_samples(name)[0]
        result = validation.validate(lambda planes, scalars: network.forward(shape, tensors, planes, scalars), found,
                                     Examples(found, vars(options)["lambda"]))
        print(json.dumps({"kind": "validation", "test": name, **result}), flush=True)
    return DONE


def export(options):
    import network
    import onnx_file
    shape, tensors, _ = network.read_container(options.network)
    network.replace(options.output, onnx_file.to_onnx(shape, tensors))
    return DONE


def write_page(options):
    import page
    page.write_page(options.folder, os.path.basename(os.path.abspath(options.folder)))
    return DONE


def complain(text):
    print(f"train_policy.py: {text}", file=sys.stderr)
    return FAILED


def main(words):
    options = arguments(words)
    try:
        return {"train": train, "validate": validate, "export": export, "page": write_page}[options.verb](options)
    except ModuleNotFoundError as missing:
        return complain(f"needs {missing.name} (Debian: python3-{missing.name})")
    except (OSError, ValueError) as fault:
        return complain(fault)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
