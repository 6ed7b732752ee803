"""Fits the curves of Sources/FaceKit/Mesher/RegionVisibility.swift and prints how often they are wrong.

usage: vision-study parts MODELS pictures… > parts.jsonl; python fit.py parts.jsonl

Needs NumPy. Error rates are of faces that the fit did not see: eight folds by face.
"""

import json
import sys

import numpy as np

GROUPS = {"eye": ["leftEye", "rightEye"], "brow": ["leftBrow", "rightBrow"], "nose": ["nose"], "mouth": ["mouth"]}
PAINTS = ["black", "cloth", "skin", "hand", "noise", "blur"]
HIDDEN_BELOW = 0.3


def fit(x, y, ridge=1e-2):
    """Logistic regression by Newton's method; hidden and seen parts weigh the same."""
    mean, deviation = x.mean(0), x.std(0) + 1e-9
    z = np.c_[(x - mean) / deviation, np.ones(len(x))]
    weight = np.where(y == 1, 0.5 / y.mean(), 0.5 / (1 - y.mean()))
    w = np.zeros(z.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-z @ w))
        gradient = z.T @ (weight * (p - y)) / len(y) + ridge * np.r_[w[:-1], 0]
        hessian = (z * (weight * p * (1 - p))[:, None]).T @ z / len(y) + ridge * np.eye(len(w))
        w -= np.linalg.solve(hessian, gradient)
    slopes = w[:-1] / deviation
    return slopes, w[-1] - slopes @ mean


def equal_error(scores, y):
    order = np.argsort(scores)
    y = y[order]
    missed = np.cumsum(y) / y.sum()
    false = 1 - np.cumsum(1 - y) / (1 - y).sum()
    at = np.argmin(abs(missed - false))
    return (missed[at] + false[at]) / 2


def main():
    rows = [json.loads(line) for line in open(sys.argv[1])]
    faces = {}
    for row in rows:
        row["id"] = faces.setdefault((row["file"], row["face"]), len(faces))
    print(f"{len(faces)} faces, {len({r['file'] for r in rows})} pictures")
    for group, parts in GROUPS.items():
        mine = [r for r in rows if r["part"] in parts]
        x = np.array([r["evidence"] for r in mine])
        y = np.array([float(r["hidden"]) for r in mine])
        fold = np.array([r["id"] % 8 for r in mine])
        paint = np.array([r["paint"] for r in mine])
        scores = np.zeros(len(y))
        for k in range(8):
            slopes, bias = fit(x[fold != k], y[fold != k])
            scores[fold == k] = x[fold == k] @ slopes + bias
        confidence = 1 / (1 + np.exp(scores))
        hide = confidence < HIDDEN_BELOW
        print(f"{group}: EER {equal_error(scores, y):.3f}", end="; ")
        print(f"below {HIDDEN_BELOW}: hidden {hide[y == 1].mean():.3f}", end=" ")
        print(f"(by paint {', '.join(f'{p} {hide[(y == 1) & (paint == p)].mean():.2f}' for p in PAINTS)})", end=", ")
        print(f"seen {hide[y == 0].mean():.3f}, untouched pictures {hide[paint == 'none'].mean():.3f}")
        slopes, bias = fit(x, y)
        print(f"  weights {[round(float(v), 3) for v in slopes]}, bias {bias:.3f}")
        stored = np.array([r["confidence"] for r in mine])
        print(f"  as built: EER {equal_error(-stored, y):.3f}, below {HIDDEN_BELOW}: hidden {(stored[y == 1] < HIDDEN_BELOW).mean():.3f}, seen {(stored[y == 0] < HIDDEN_BELOW).mean():.3f}")


if __name__ == "__main__":
    main()
