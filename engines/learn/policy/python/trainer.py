"""A whole training with PyTorch: samples in, a network out, in a folder that says how it went and where it goes on.

    policy.nn, policy.nn.ini, policy.onnx    the best network so far, with each validation
    checkpoint.pt                            where the training stands
    log.jsonl, index.html                    lines as those of `fuhyo-learn policy`, and a page of them
"""

import dataclasses
import json
import math
import os
import pickle
import time

import numpy as np
import torch

import net
import network
import onnx_file
import page
import positions
import validation
from examples import EXAMPLE

LOG_LINES = 2000  # about so many of a training
MEMORY = 0.02     # how much of the statistics of norms is those of the last batch, once there are enough


class Stopped(Exception):
    pass


def rate_at(terms, number, steps):
    """Of step `number` (1 is the first): rises evenly, then falls as half a cosine."""
    if number <= terms["warm_up"]:
        return terms["rate"] * number / terms["warm_up"]
    falling = steps - terms["warm_up"]
    if falling <= 1:
        return terms["rate"]
    part = min((number - terms["warm_up"] - 1) / (falling - 1), 1)
    return terms["last_rate"] + (terms["rate"] - terms["last_rate"]) * (1 + math.cos(math.pi * part)) / 2


class Batches:
    """Examples by the number of a step: shuffled anew in each epoch, mirrored in every other one."""

    def __init__(self, examples, terms, device):
        self.examples, self.terms, self.device = examples, terms, device
        self.bytes = torch.from_numpy(examples.data.view(np.uint8).reshape(len(examples), -1))
        self.each = len(examples) // terms["batch"]
        self.epoch, self.order = None, None
        self.shifts = torch.arange(7, -1, -1, dtype=torch.uint8, device=device)
        self.ways = torch.tensor(positions.MIRRORED_WAYS, device=device)

    def __len__(self):
        return self.each * self.terms["epochs"]

    def chosen(self, step):
        epoch, place = divmod(step, self.each)
        if epoch != self.epoch:
            self.order = np.random.default_rng([self.terms["seed"], epoch]).permutation(len(self.examples))
            self.epoch = epoch
        chosen = self.order[place * self.terms["batch"]:(place + 1) * self.terms["batch"]]
        # Which look comes first is each sample's lot (Knuth's multiplicative hash).
        lots = (chosen.astype(np.uint64) + np.uint64(self.terms["seed"])) * np.uint64(0x9e3779b97f4a7c15)
        return chosen, ((lots >> np.uint64(63)).astype(int) + epoch) % 2 == 1

    def take(self, step):
        """Planes, scalars, legal labels, played labels and values on the device."""
        return self.shown(*self.chosen(step))

    def shown(self, chosen, mirror):
        """Those of `chosen` samples; where `mirror`, left and right are exchanged."""
        data = self.bytes[torch.from_numpy(chosen)]
        mirror = torch.from_numpy(mirror)
        if self.device.type == "cuda":
            data, mirror = data.pin_memory(), mirror.pin_memory()
        data, mirror = (part.to(self.device, non_blocking=True) for part in (data, mirror))

        def column(name):
            kind, offset = EXAMPLE.fields[name][:2]
            return data[:, offset:offset + kind.itemsize]

        def bits(name, count):
            return (column(name)[:, :, None] >> self.shifts & 1).flatten(1)[:, :count]

        def turned(maps, other):
            return torch.where(mirror[:, None, None, None], other.flip(2), maps)
        planes = bits("planes", positions.PLANES * 81).unflatten(1, (positions.PLANES, 9, 9))
        legal = bits("legal", positions.LABELS).bool().unflatten(1, (positions.WAYS, 9, 9))
        label = column("label").contiguous().view(torch.int32)[:, 0].long()
        way, file, rank = label // 81, label % 81 // 9, label % 9
        label = torch.where(mirror, self.ways[way] * 81 + (8 - file) * 9 + rank, label)
        return (turned(planes, planes), bits("scalars", positions.SCALARS).float(),
                turned(legal, legal[:, self.ways]).flatten(1), label,
                column("value").contiguous().view(torch.float32)[:, 0])


class Training:
    """`terms`: what the network depends on; `tests`: (name, samples, examples); `work`: device and so on."""

    def __init__(self, shape, terms, examples, data, tests, folder, work, say=print):
        self.shape, self.terms, self.data, self.tests, self.folder = shape, terms, data, tests, folder
        self.work, self.say = work, say
        self.device = torch.device(work["device"])
        self.batches = Batches(examples, terms, self.device)
        if not self.batches.each:
            raise ValueError(f"{len(examples)} samples are less than a batch of {terms['batch']}")
        torch.manual_seed(terms["seed"])
        self.net = net.Net(shape).to(self.device)
        self.layout = torch.channels_last if self.device.type == "cuda" else torch.contiguous_format
        self.net = self.net.to(memory_format=self.layout)
        layers, others = self.net.decayed()
        self.optimiser = torch.optim.AdamW([{"params": layers, "weight_decay": terms["decay"]},
                                            {"params": others, "weight_decay": 0.0}], lr=terms["rate"])
        self.step, self.before, self.best, self.stale, self.over = 0, 0.0, None, 0, False
        os.makedirs(folder, exist_ok=True)
        if os.path.exists(self.file("checkpoint.pt")):
            self.resume()
        self.began = time.monotonic()
        self.open_log()

    def file(self, name):
        return os.path.join(self.folder, name)

    def seconds(self):
        return self.before + time.monotonic() - self.began

    # ---- what is kept ----

    def place(self):
        return {"terms": self.terms, "shape": dataclasses.astuple(self.shape), "data": self.data}

    def save(self):
        # All but tensors as text: what is read needs no trust in the file then.
        place = self.place() | {"step": self.step, "seconds": self.seconds(), "best": self.best, "stale": self.stale,
                                "over": self.over}
        torch.save({"place": json.dumps(place), "net": self.net.state_dict(),
                    "moments": self.optimiser.state_dict()["state"]}, self.file("checkpoint.pt.new"))
        os.replace(self.file("checkpoint.pt.new"), self.file("checkpoint.pt"))

    def resume(self):
        file = self.file("checkpoint.pt")
        try:
            state = torch.load(file, map_location=self.device, weights_only=True)
            kept = json.loads(state["place"])
        except (RuntimeError, pickle.UnpicklingError, EOFError, KeyError) as fault:
            raise ValueError(f"{file}: no checkpoint, or a damaged one") from fault
        here = json.loads(json.dumps(self.place()))
        for what, value in here["terms"].items():
            if kept["terms"].get(what) != value:
                raise ValueError(f"{file}: its {what} is {kept['terms'].get(what)}, not {value}")
        if kept["shape"] != here["shape"]:
            raise ValueError(f"{file}: of a network of another shape")
        if kept["data"] != here["data"]:
            raise ValueError(f"{file}: it was trained with other samples")
        self.step, self.before, self.best = kept["step"], kept["seconds"], kept["best"]
        self.stale, self.over = kept["stale"], kept["over"]
        self.net.load_state_dict(state["net"])
        groups = self.optimiser.state_dict()["param_groups"]
        self.optimiser.load_state_dict({"state": state["moments"], "param_groups": groups})
        self.say(f"going on after {self.step} of {len(self.batches)} steps")

    def open_log(self):
        """Lines of steps that are done again are cut off."""
        kept = []
        if os.path.exists(self.file("log.jsonl")):
            kept = [line for line in page.read_log(self.folder) if line["step"] <= self.step]
        with open(self.file("log.jsonl"), "w", encoding="utf-8") as log:
            log.writelines(json.dumps(line) + "\n" for line in kept)

    def log(self, **line):
        with open(self.file("log.jsonl"), "a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")

    # ---- steps ----

    def mixed(self):
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.work["precision"] == "bf16")

    def learn(self):
        planes, scalars, legal, label, target = self.batches.take(self.step)
        rate = rate_at(self.terms, self.step + 1, len(self.batches))
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.net.train()
        self.optimiser.zero_grad(set_to_none=True)
        parts = range(0, len(label), self.terms["pass"] or len(label))
        # All passes of a batch count as one for the statistics of norms.
        part = max(MEMORY, 1 / (self.step + 1))
        self.net.remember(1 - (1 - part) ** (1 / len(parts)))
        sums = 0
        for first in parts:
            here = slice(first, first + parts.step)
            with self.mixed():
                logits, values = self.net(self.maps(planes[here]), scalars[here])
            moves, value, right, known = net.losses(logits, values, legal[here], label[here], target[here])
            # Over the whole batch, so that a value weighs the same whether its neighbours have one or not.
            ((moves + self.terms["value_weight"] * value) / len(label)).backward()
            sums = sums + torch.stack([moves.detach(), value.detach(), right.float(), known.float()])
        self.optimiser.step()
        self.step += 1
        return sums, rate

    def maps(self, planes):
        return planes.float().contiguous(memory_format=self.layout)

    def evaluate(self, planes, scalars):
        with torch.no_grad():
            logits, values = self.net(self.maps(torch.from_numpy(planes).to(self.device)),
                                      torch.from_numpy(scalars).to(self.device))
        return logits.float().cpu().numpy(), torch.sigmoid(values.float()).cpu().numpy()

    def validate(self, most):
        """The first test's loss; the network is left if it is the best so far."""
        self.net.eval()
        epoch, losses, first = self.step / self.batches.each, [], None
        for name, samples, examples in self.tests:
            found = validation.validate(self.evaluate, samples, examples, most)
            self.log(kind="validation", test=name, step=self.step, epoch=epoch, seconds=self.seconds(), **found)
            self.say(f"epoch {epoch:.3f} of {self.terms['epochs']}, {name}: {100 * found['accuracy']:.2f} % of "
                     f"{found['positions']} moves, loss {found['loss']:.4f}, values {found['value_loss']:.4f}, results "
                     f"{found['result_loss']:.4f} where scores have {found['score_loss']:.4f}")
            losses.append(found["loss"] + self.terms["value_weight"] * found["value_loss"])
            first = first or found
        self.stale = 0 if self.best is None or losses[0] < self.best else self.stale + 1
        if self.stale == 0:
            self.best = losses[0]
            self.leave(f"{len(self.batches.examples)} samples, {epoch:.3f} epochs, {100 * first['accuracy']:.2f} % of "
                       f"{first['positions']} moves")
        page.write_page(self.folder, os.path.basename(os.path.abspath(self.folder)), [json.dumps(self.terms)])

    def leave(self, remark):
        tensors = self.net.tensors()
        network.leave(self.file("policy.nn"), self.shape, tensors, remark)
        network.replace(self.file("policy.onnx"), onnx_file.to_onnx(self.shape, tensors))

    def run(self, stop):
        """Raises Stopped once `stop()`; the same call goes on."""
        steps, work = len(self.batches), self.work
        part = max(1, self.batches.each // work["validations"])
        sums, count, told, saved = torch.zeros(4, device=self.device), 0, time.monotonic(), time.monotonic()
        while self.step < steps and not self.over:
            if stop():
                self.save()
                raise Stopped
            losses, rate = self.learn()
            sums, count = sums + losses, count + self.terms["batch"]
            if self.step % max(1, steps // LOG_LINES) == 0:
                moves, value, right, known = sums.tolist()
                moves, right, value = moves / count, right / count, value / max(known, 1)
                self.log(kind="train", step=self.step, epoch=self.step / self.batches.each, loss=moves, right=right,
                         value_loss=value, rate=rate, seconds=self.seconds())
                if time.monotonic() - told >= work["every_s"]:
                    told = time.monotonic()
                    speed = self.step * self.terms["batch"] / self.seconds()
                    self.say(f"step {self.step} of {steps}: {speed:.0f} positions/s, loss {moves:.4f}, "
                             f"{100 * right:.1f} %, values {value:.4f}, rate {rate:.2e}")
                sums, count = torch.zeros(4, device=self.device), 0
            if self.step == steps or self.step % part == 0:
                self.validate(None if self.step == steps else work["validation"])
                self.over = self.step == steps or self.stale >= work["patience"]
                self.save()
            elif time.monotonic() - saved >= work["checkpoint_s"]:
                self.save()
                saved = time.monotonic()
