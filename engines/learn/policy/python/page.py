"""One page of a training, with plots, out of its log.jsonl: those of this folder's trainer and of `fuhyo-learn policy`.
"""

import html
import json
import os

WIDTH, HEIGHT, LEFT, TOP = 560, 240, 60, 30
COLOURS = ["#1f6fb4", "#c2401c", "#3c8d40", "#7b4fa3"]
STYLE = ("body{font:15px sans-serif;margin:2em;max-width:1600px}table{border-collapse:collapse}td,th{border:1px solid "
         "#bbb;padding:.25em .6em;text-align:right;font-variant-numeric:tabular-nums}svg{max-width:100%}")


def read_log(folder):
    """The lines of a log, but for one that was cut off."""
    lines = []
    with open(os.path.join(folder, "log.jsonl"), encoding="utf-8") as log:
        for line in log:
            try:
                lines.append(json.loads(line))
            except ValueError:
                continue
    return lines


def _plot(title, curves):
    """`curves`: (name, [(x, y)...]). Losses of the first steps are cut off, they would leave no room for the rest."""
    curves = [(name, points) for name, points in curves if points]
    if not curves:
        return ""
    low = min(y for _, points in curves for _, y in points)
    end = max(points[-1][1] for _, points in curves)
    high = min(max(y for _, points in curves for _, y in points), end + 4 * max(end - low, 0.01))
    last = max(x for _, points in curves for x, _ in points) or 1

    def place(x, y):
        height = HEIGHT * (high - min(y, high)) / ((high - low) or 1)
        return f"{LEFT + WIDTH * x / last:.1f},{TOP + height:.1f}"
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 20}" height="{TOP + HEIGHT + 40}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>',
           f'<text x="{LEFT}" y="18" font-weight="bold">{html.escape(title)}</text>']
    for value in low, (low + high) / 2, high:
        y = float(place(0, value).split(",")[1])
        svg.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.3f}</text>')
    svg.append(f'<text x="{LEFT + WIDTH}" y="{TOP + HEIGHT + 16}" text-anchor="end">{last:.2f} epochs</text>')
    for index, (name, points) in enumerate(curves):
        colour = COLOURS[index % len(COLOURS)]
        svg.append(f'<polyline fill="none" stroke="{colour}" points="{" ".join(place(*point) for point in points)}"/>')
        svg.append(f'<text x="{LEFT + 150 * index}" y="{TOP + HEIGHT + 32}" fill="{colour}">{html.escape(name)}</text>')
    return "\n".join([*svg, "</svg>"])


def _table(validations):
    last = {line["test"]: line for line in validations}
    rows = ["<tr><th>test</th><th>positions</th><th>moves found</th><th>loss of moves</th><th>of values</th><th>of "
            "results</th><th>of results by scores alone</th><th>moves found by 20 plies</th></tr>"]
    for name, line in last.items():
        bands = ", ".join(f"{100 * right / count:.1f}" if count else "-" for count, right in line["bands"])
        values = [f'{line[key]:.4f}' if line["values"] else "" for key in ("value_loss", "result_loss", "score_loss")]
        cells = [html.escape(name), line["positions"], f'{100 * line["accuracy"]:.2f} %', f'{line["loss"]:.4f}',
                 *values, f"{bands} %"]
        rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    return "<table>" + "\n".join(rows) + "</table>"


def write_page(folder, title, remarks=()):
    lines = read_log(folder)
    learnt = [line for line in lines if line["kind"] == "train"]
    tested = [line for line in lines if line["kind"] == "validation"]
    names = list(dict.fromkeys(line["test"] for line in tested))

    def curve(name, key):
        return name, [(line["epoch"], line[key]) for line in tested if line["test"] == name]
    plots = [_plot("loss of moves", [("learnt", [(line["epoch"], line["loss"]) for line in learnt]),
                                     *[curve(name, "loss") for name in names]]),
             _plot("moves found", [curve(name, "accuracy") for name in names]),
             _plot("loss of values", [("learnt", [(line["epoch"], line["value_loss"]) for line in learnt]),
                                      *[curve(name, "value_loss") for name in names]])]
    seconds = max((line["seconds"] for line in lines), default=0)
    text = "".join(f"<p>{html.escape(remark)}</p>" for remark in [*remarks, f"{seconds / 3600:.2f} hours"])
    page = (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title><style>'
            f"{STYLE}</style></head>\n<body><h1>{html.escape(title)}</h1>\n{text}\n{_table(tested)}\n"
            + "\n".join(plots) + "\n</body></html>\n")
    with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as out:
        out.write(page)
