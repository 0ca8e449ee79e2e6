"""What a network says of samples that it has not learnt: the figures of engines/learn/policy/validation.h."""

import numpy as np

import samples as sample_files

BANDS, BAND_PLIES, PART = 6, 20, 512


def entropy(chance, target):
    chance = np.clip(chance, 1e-7, 1 - 1e-7)
    return -target * np.log(chance) - (1 - target) * np.log(1 - chance)


def logistic_loss(scores, results):
    """The mean cross-entropy of results and sigmoid(a score / 600 + b) with the a and b that make it least."""
    x, fit = scores / 600, np.array([1.0, 0.0])

    def loss_of(slope, offset):
        y = slope * x + offset
        return float((np.logaddexp(0, y) - results * y).mean())
    least = loss_of(*fit)
    for _ in range(30):
        # Newton's method, in steps that make it less: a whole one may leap over the least.
        chance = np.exp(-np.logaddexp(0, -(fit[0] * x + fit[1])))
        wrong, weight = chance - results, chance * (1 - chance)
        a, b = (wrong * x).sum(), wrong.sum()
        aa, ab, bb = 1e-6 + (weight * x * x).sum(), (weight * x).sum(), 1e-6 + weight.sum()
        step = np.array([a * bb - b * ab, b * aa - a * ab]) / (aa * bb - ab * ab)
        while (loss := loss_of(*fit - step)) >= least:
            step /= 2
            if abs(step).max() < 1e-9:
                return least
        fit, least = fit - step, loss
    return least


def validate(evaluate, samples, examples, most=None):
    """`evaluate`(planes, scalars) -> logits, chances as arrays; of the first `most` samples. A dictionary, as log.jsonl
    has it."""
    samples = samples[:most]
    bands = np.zeros((BANDS, 2), int)
    move_loss = value_loss = result_loss = 0.0
    scores, results = [], []
    for first in range(0, len(samples), PART):
        part = samples[first:first + PART]
        planes, scalars, legal, label, target = examples.shown(first, first + len(part))
        logits, chances = evaluate(planes, scalars)
        logits, rows = np.where(legal, logits.astype(np.float64), -np.inf), np.arange(len(part))
        played = logits[rows, label]
        move_loss += np.log(np.exp(logits - played[:, None]).sum(1)).sum()
        right = played >= logits.max(1)
        np.add.at(bands, np.minimum(part["ply"] // BAND_PLIES, BANDS - 1), np.stack([np.ones_like(right), right], 1))
        both = (part["score"] != sample_files.NO_SCORE) & (part["result"] != sample_files.NO_RESULT)
        result = part["result"][both] / 2
        value_loss += entropy(chances[both], target[both]).sum()
        result_loss += entropy(chances[both], result).sum()
        scores.append(part["score"][both].astype(float))
        results.append(result)
    scores, results = np.concatenate(scores), np.concatenate(results)
    count, values = max(1, len(samples)), len(scores)
    return {"positions": len(samples), "accuracy": float(bands[:, 1].sum() / count), "loss": float(move_loss / count),
            "bands": bands.tolist(), "values": values, "value_loss": float(value_loss / max(1, values)),
            "result_loss": float(result_loss / max(1, values)),
            "score_loss": logistic_loss(scores, results) if values else 0.0}
