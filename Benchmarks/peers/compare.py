#!/usr/bin/env python3
"""Times FaceKit against its peers on this machine, interleaved in one run, and prints the table.

    Benchmarks/peers/setup
    swift build -c release --product facekit
    Benchmarks/peers/compare.py [--rows NAME…] [--rounds N] [--json FILE]

Every contestant is a process of its own that waits for `run N` (worker.py, `facekit bench … --serve`). In each
round each of them gets a turn of about 20 ms, in an order that changes from round to round, and nobody else
runs meanwhile: what the machine does in that minute, it does to all. Ratios compare minima over all rounds;
medians are printed beside them. All run one thread on the same input; OpenVINO is told to use float32.
"""
import argparse
import json
import os
import pathlib
import platform
import random
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path(__file__).resolve().parent

MODELS = ["face_landmarks_detector", "face_detector", "face_blendshapes",
          "face_detection_full_range_sparse", "face_landmark", "iris_landmark"]

# A row: name, what `facekit bench … --serve` measures, and the peers as (environment, kind).
ROWS = [(name, ["model", name + ".tflite"], [("current", "litert"), ("current", "openvino")])
        for name in MODELS]
ROWS += [
    ("landmarker task, image", ["task", "landmarks"], [("current", "landmarks")]),
    ("landmarker task, video", ["task", "landmarks-video"], [("current", "landmarks-video")]),
    ("detector task", ["task", "detect"], [("current", "detect")]),
    ("face mesh with attention", ["task", "facemesh"], [("legacy", "facemesh")]),
]


class Contestant:
    """A process that runs when it is told to."""

    def __init__(self, label, command):
        self.label, self.times, self.peaks = label, [], []
        self.process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if not os.environ.get("VERBOSE") else None, text=True,
            env=dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", GLOG_minloglevel="2"))
        self.about = self.answer()
        # A turn of about 20 ms, at least one run.
        self.batch = max(1, round(20 / min(self.ask(3))))
        self.times, self.peaks = [], []

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            noise = self.process.stderr.read() if self.process.stderr else ""
            raise RuntimeError("%s ended: %s" % (self.label, noise.strip()[-500:] or "no message"))
        return json.loads(line)

    def ask(self, count):
        self.process.stdin.write("run %d\n" % count)
        self.process.stdin.flush()
        found = self.answer()
        if "peakGflops" in found:
            self.peaks.append(found["peakGflops"])
        self.times += found["ms"]
        return found["ms"]

    def turn(self):
        self.ask(self.batch)

    def close(self):
        self.process.stdin.close()
        self.process.wait()

    def summary(self):
        found = dict(self.about, minMs=min(self.times), medianMs=statistics.median(self.times),
                     runs=len(self.times))
        found.pop("ready", None)
        if self.peaks and found.get("gflop"):
            found["gflops"] = found["gflop"] / min(self.times) * 1e3
            found["peakShare"] = found["gflops"] / max(self.peaks)
        return found


def machine():
    found = dict(system="%s %s" % (platform.system(), platform.release()), cpus=os.cpu_count())
    try:
        for line in open("/proc/cpuinfo"):
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                found["cpu"] = value.strip()
            if key.strip() == "flags":
                flags = value.split()
                found["isa"] = [x for x in ("avx2", "fma", "avx512f", "avx512_fp16", "amx_tile") if x in flags]
                break
    except OSError:
        found["cpu"] = platform.processor()
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    found["commit"] = commit.stdout.strip()
    return found


def compare(name, ours, peers, arguments):
    contestants = []
    try:
        if ours[0] == "model":
            target = [arguments.models / ours[1]]
            command = ["model", target[0]]
        else:
            target = [arguments.photo, "--models", arguments.models]
            command = ["task", ours[1], arguments.photo, "--models", arguments.models]
        extra = ["--isa", arguments.isa] if arguments.isa else []
        contestants.append(Contestant("FaceKit", [arguments.facekit, "bench", *command, "--serve", *extra]))
        for environment, kind in peers:
            python = arguments.peers / environment / "bin" / "python"
            if not python.exists():
                raise RuntimeError("%s is not there: run Benchmarks/peers/setup" % python)
            contestants.append(Contestant(kind, [python, HERE / "worker.py", kind, *target]))
        order = random.Random(1)
        for _ in range(arguments.rounds):
            for contestant in order.sample(contestants, len(contestants)):
                contestant.turn()
        mine, *theirs = [contestant.summary() for contestant in contestants]
        for other in theirs:
            other["ratio"] = mine["minMs"] / other["minMs"]
            other["medianRatio"] = mine["medianMs"] / other["medianMs"]
        return dict(row=name, facekit=mine, peers=theirs)
    finally:
        for contestant in contestants:
            contestant.close()


def markdown(document):
    about = document["machine"]
    lines = [
        "%s, %s CPUs, %s; commit %s; one thread; %d rounds, interleaved; minimum (median) in ms" % (
            about.get("cpu", "?"), about["cpus"], " ".join(about.get("isa", [])) or about["system"],
            about["commit"], document["rounds"]),
        "",
        "| model or task | FaceKit | share of FMA peak | peer | peer's time | ratio of minima (medians) |",
        "| --- | --- | --- | --- | --- | --- |"]
    for row in document["rows"]:
        if "error" in row:
            lines.append("| %s | not measured: %s | | | | |" % (row["row"], row["error"].split("\n")[0]))
            continue
        mine = row["facekit"]
        for index, other in enumerate(row["peers"]):
            share = "%.0f %%" % (100 * mine["peakShare"]) if "peakShare" in mine else ""
            first = [row["row"], "%.3f (%.3f)" % (mine["minMs"], mine["medianMs"]), share]
            lines.append("| %s | %s | %s | %s %s | %.3f (%.3f) | **%.2f** (%.2f) |" % (
                *(first if index == 0 else ["", "", ""]), other["peer"], other["version"],
                other["minMs"], other["medianMs"], other["ratio"], other["medianRatio"]))
    return "\n".join(lines)


def default_models():
    return pathlib.Path(os.environ.get("FACEKIT_MODELS") or ROOT / ".cache" / "models")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", nargs="+", metavar="NAME", help="parts of the rows' names; all by default")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--isa", help="instruction set FaceKit is held to: baseline, avx2, avx512")
    parser.add_argument("--facekit", type=pathlib.Path, default=ROOT / ".build/release/facekit")
    parser.add_argument("--models", type=pathlib.Path, default=default_models())
    parser.add_argument("--photo", type=pathlib.Path, help="512×512; the sample portrait by default")
    parser.add_argument("--peers", type=pathlib.Path,
                        default=pathlib.Path(os.environ.get("FACEKIT_PEERS") or ROOT / ".cache/peers"))
    parser.add_argument("--json", type=pathlib.Path, help="also write everything measured to this file")
    arguments = parser.parse_args()
    if not arguments.facekit.exists():
        sys.exit("compare: error: no %s — swift build -c release --product facekit" % arguments.facekit)
    arguments.photo = arguments.photo or ROOT / ".cache/samples/astronaut.png"
    document = dict(machine=machine(), rounds=arguments.rounds, rows=[])
    for name, ours, peers in ROWS:
        if arguments.rows and not any(part in name for part in arguments.rows):
            continue
        print("compare: " + name, file=sys.stderr)
        try:
            document["rows"].append(compare(name, ours, peers, arguments))
        except (RuntimeError, BrokenPipeError) as error:
            document["rows"].append(dict(row=name, error=str(error)))
    print(markdown(document))
    if arguments.json:
        arguments.json.write_text(json.dumps(document, indent=1) + "\n")
    sys.exit(any("error" in row for row in document["rows"]))


if __name__ == "__main__":
    main()
