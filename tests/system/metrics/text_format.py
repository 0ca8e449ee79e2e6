"""The text format of Prometheus 0.0.4, read strictly: https://prometheus.io/docs/instrumenting/exposition_formats/"""

import math
import re

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
SAMPLE = re.compile(rf"({NAME})(?:\{{(.*)\}})? (\S+)")
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,(?!$)|$)')
NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|Inf)|NaN")


class FormatError(Exception):
    """The text is not of the format."""


def need(fact, line):
    if not fact:
        raise FormatError(line)


def labels_of(text, line):
    labels, at = {}, 0
    while at < len(text):
        found = LABEL.match(text, at)
        need(found and found[1] not in labels, line)
        labels[found[1]] = found[2]
        at = found.end()
    return labels


class Family:
    """`samples`: {(name, ((label, value), ...)): number}."""

    def __init__(self, name, help_text):
        self.name, self.help, self.kind, self.samples = name, help_text, "", {}

    def takes(self, name):
        suffixes = ("_bucket", "_sum", "_count") if self.kind == "histogram" else ("",)
        return name in [self.name + suffix for suffix in suffixes]

    def check_histogram(self):
        rows = {}
        for (name, labels), value in self.samples.items():
            others = tuple(pair for pair in labels if pair[0] != "le")
            row = rows.setdefault(others, {"buckets": []})
            if name.endswith("_bucket"):
                row["buckets"].append((float(dict(labels)["le"]), value))
            else:
                row[name.removeprefix(self.name)] = value
        for row in rows.values():
            bounds, counts = zip(*row["buckets"])
            need(list(bounds) == sorted(set(bounds)) and math.isinf(bounds[-1]), f"{self.name}: bounds")
            need(list(counts) == sorted(counts), f"{self.name}: buckets are cumulative")
            need(counts[-1] == row["_count"] and row["_sum"] >= 0, f"{self.name}: count and sum")


def parse(text):
    """{name: Family}. Each has HELP and TYPE, in this order and once, with its samples behind them and nowhere else."""
    need(text.endswith("\n") and "\r" not in text, "the end")
    families, family = {}, None
    for line in text[:-1].split("\n"):
        if found := re.fullmatch(rf"# HELP ({NAME}) (\S.*)", line):
            need(found[1] not in families and (family is None or family.kind), line)
            family = families[found[1]] = Family(found[1], found[2])
        elif found := re.fullmatch(rf"# TYPE ({NAME}) (counter|gauge|histogram)", line):
            need(family and family.name == found[1] and not family.kind, line)
            family.kind = found[2]
            need((found[2] == "counter") == found[1].endswith("_total"), line)
        else:
            found = SAMPLE.fullmatch(line)
            need(found and family and family.takes(found[1]) and NUMBER.fullmatch(found[3]), line)
            key = (found[1], tuple(labels_of(found[2] or "", line).items()))
            need(key not in family.samples, line)
            family.samples[key] = float(found[3])
            need(family.kind == "gauge" or family.samples[key] >= 0, line)
    for each in families.values():
        need(each.kind, each.name)
        if each.kind == "histogram":
            each.check_histogram()
    return families


def value(families, name, **labels):
    """Of one sample, whose name may have a suffix."""
    base = name if name in families else re.sub(r"_(bucket|sum|count)$", "", name)
    return families[base].samples[name, tuple(labels.items())]
