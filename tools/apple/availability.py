#!/usr/bin/env python3
"""Finds uses of what Apple's systems have only in later versions than the manifest names; no Mac needed.

Three views of a debug build (`swift build --build-tests`), as none of them shows everything:

1. The symbol graphs of the toolchain's own libraries carry Apple's availability, and the index store says
   which line uses which symbol.
2. Some features of the language need a later run-time library and are no symbols: found in the sources.
3. Types that are built at run time from their names, found in the objects: a typed `throws` in one of them
   is beyond older run-time libraries.

Lines that `#if` leaves out on Apple's systems do not count. Not seen: uses within `if #available` are
reported like others, and Foundation, whose version for Linux says nothing about Apple's.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import conditions
import index_store
from swift_text import without_comments_and_text

ROOT = HERE.parent.parent
LIBRARIES = ["Swift", "Synchronization", "_Concurrency", "_StringProcessing", "RegexBuilder", "Observation",
             "Distributed", "Dispatch"]

# A feature, the systems that have it, and how it looks in source without comments and text.
_DECLARATION = r"\b(?:struct|class|enum|actor|protocol|typealias)\s+\w+\s*<[^{=]*?"
_GENERICS = r"\b(?:func\s+[^\s(<]+|init[?!]?|subscript|(?:struct|class|enum|actor|typealias)\s+\w+)\s*<[^(){}=]*?"
FEATURES = [
    ("a value as a generic parameter", (26, 0), (26, 0), re.compile(_GENERICS + r"\blet\s+\w+\s*:")),
    ("the type [count of Element]", (26, 0), (26, 0), re.compile(r"\[\s*\w+\s+of\s+[\w(\[]")),
    ("a generic type over ~Copyable", (15, 0), (18, 0), re.compile(_DECLARATION + r"~\s*Copyable")),
    ("a generic type over a parameter pack", (14, 0), (17, 0), re.compile(_DECLARATION + r"\beach\s+\w")),
    ("an isolated deinit", (15, 4), (18, 4), re.compile(r"\bisolated\s+deinit\b")),
]
# The same for demangled names of types that are built at run time.
RUN_TIME_TYPES = [
    ("a typed throw", (15, 0), (18, 0), re.compile(r"throws\(")),
    ("@isolated(any)", (15, 0), (18, 0), re.compile(r"@isolated\(any\)")),
    ("a value as a generic argument", (26, 0), (26, 0), re.compile(r"[<,]\s*-?\d+\s*[,>]")),
]


def output(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, **options).stdout.decode(errors="replace")


def since():
    """Symbols that Apple's systems have not always had: USR to (name, macOS, iOS)."""
    target = json.loads(output("swiftc", "-print-target-info"))["target"]["unversionedTriple"]
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for library in LIBRARIES:
            # Dispatch is made of C as well, and says so in warnings.
            subprocess.run(
                ["swift", "symbolgraph-extract", "-module-name", library, "-target", target,
                 "-output-dir", folder, "-minimum-access-level", "public"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        older = set()
        for file in pathlib.Path(folder).glob("*.symbols.json"):
            for symbol in json.loads(file.read_text())["symbols"]:
                name = ".".join(symbol["pathComponents"])
                declaration = (name, "".join(
                    part["spelling"] for part in symbol.get("declarationFragments", [])))
                systems = {
                    item["domain"]: (item["introduced"]["major"], item["introduced"].get("minor", 0))
                    for item in symbol.get("availability", [])
                    if item.get("domain") in ("macOS", "iOS") and "introduced" in item}
                if not systems:
                    older.add(declaration)
                # Loops over asynchronous sequences call `next()` where there is no other.
                elif not name.endswith(".next(isolation:)"):
                    found[symbol["identifier"]["precise"]] = (
                        *declaration, systems.get("macOS", (0, 0)), systems.get("iOS", (0, 0)))
    # A requirement that was an extension's member before: older systems get that one.
    found = {usr: (entry[0], *entry[2:]) for usr, entry in found.items() if entry[:2] not in older}
    if "s:15Synchronization5MutexV" not in found:
        sys.exit("check-apple: error: no availability in the symbol graphs — swift symbolgraph-extract — "
                 "this toolchain's libraries say nothing about Apple's systems")
    return found


class Check:
    def __init__(self, macos, ios):
        self.macos, self.ios = macos, ios
        self.newer = {usr: entry for usr, entry in since().items() if self.is_newer(*entry[1:])}
        # What, since when → where.
        self.found = collections.defaultdict(set)
        self.compiled = {}

    def is_newer(self, macos, ios):
        return macos > self.macos or ios > self.ios

    def add(self, what, macos, ios, path, line):
        path = str(path)
        if path not in self.compiled:
            self.compiled[path] = conditions.compiled_lines(pathlib.Path(path).read_text())
        lines = self.compiled[path]
        # A line beyond the end: the file has become shorter since it was built.
        if line > len(lines) or lines[line - 1]:
            self.found[what, macos, ios].add((path, line))

    def symbols(self, store, is_source):
        uses, files = index_store.uses(store, self.newer, is_source)
        for path, line, usr in uses:
            name, macos, ios = self.newer[usr]
            # Folders that are links, such as Sources/MicrokernelsAVX2, hold the same files again.
            self.add(name, macos, ios, pathlib.Path(path).resolve(), line)
        return files

    def sources(self, paths):
        for path in paths:
            text = without_comments_and_text(pathlib.Path(path).read_text())
            for what, macos, ios, pattern in FEATURES:
                if self.is_newer(macos, ios):
                    for match in pattern.finditer(text):
                        self.add(what, macos, ios, path, text.count("\n", 0, match.start()) + 1)

    def objects(self, paths):
        """Types that code builds from mangled names end in `Md` or `MD`."""
        names = output("llvm-nm", "--just-symbol-name", *map(str, paths), stderr=subprocess.DEVNULL)
        mangled = sorted({name for name in names.split() if re.fullmatch(r"\$s.*M[dD]", name)})
        if not mangled:
            return
        demangled = output("swift-demangle", input="\n".join(mangled).encode())
        for name in demangled.splitlines():
            for what, macos, ios, pattern in RUN_TIME_TYPES:
                if self.is_newer(macos, ios) and pattern.search(name):
                    of = name.removeprefix("demangling cache variable for type metadata for ")
                    self.found[f"{what} in a type built at run time", macos, ios].add((of, 0))

    def report(self):
        for (what, macos, ios), places in sorted(self.found.items()):
            print(f"check-apple: error: {what} — macOS {macos[0]}.{macos[1]}, iOS {ios[0]}.{ios[1]}, not "
                  f"{self.macos[0]}.{self.macos[1]}, {self.ios[0]}.{self.ios[1]}:", file=sys.stderr)
            for path, line in sorted(places)[:12]:
                place = f"{pathlib.Path(path).relative_to(ROOT)}:{line}" if line else path
                print(f"  {place}", file=sys.stderr)
            if len(places) > 12:
                print(f"  and {len(places) - 12} more", file=sys.stderr)


def check_planted():
    """Stops the check if it would miss what `planted.swift` holds, or find more."""
    source = HERE / "planted.swift"
    check = Check((14, 0), (17, 0))
    with tempfile.TemporaryDirectory() as folder:
        # Swift 5, where a global variable may hold what it likes.
        output("swiftc", "-swift-version", "5", "-Onone", "-parse-as-library", "-c", str(source),
               "-o", f"{folder}/planted.o", "-index-store-path", f"{folder}/index")
        check.symbols(f"{folder}/index", lambda path: path == str(source))
        check.sources([source])
        check.objects([f"{folder}/planted.o"])
    planted = {line for line, text in enumerate(source.read_text().split("\n"), 1) if text.endswith("// FIND")}
    found = {line for places in check.found.values() for _, line in places if line}
    if found != planted:
        sys.exit(f"check-apple: error: of the planted uses, lines {sorted(planted - found)} were not found and "
                 f"{sorted(found - planted)} were — {source}")
    if not any("typed throw in a type" in what for what, _, _ in check.found):
        sys.exit(f"check-apple: error: the planted typed throw was not found — {source}")
    return len(planted) + 1


def platforms():
    manifest = json.loads(output("swift", "package", "dump-package", cwd=ROOT))
    versions = {item["platformName"]: tuple(map(int, (item["version"] + ".0").split(".")[:2]))
                for item in manifest["platforms"]}
    return versions["macos"], versions["ios"]


def main():
    build = ROOT / ".build" / "debug"
    planted = check_planted()
    check = Check(*platforms())
    sources = sorted(path for folder in ("Sources", "Tests") for path in (ROOT / folder).rglob("*.swift"))
    ours = set(sources)
    files = check.symbols(build / "index" / "store", lambda path: pathlib.Path(path).resolve() in ours)
    check.sources(sources)
    objects = [path for path in build.glob("*.build/**/*.o") if "Tests" not in path.parts[-2]]
    if files < len(sources) // 2 or not objects:
        sys.exit(f"check-apple: error: {files} of {len(sources)} files in the index — {build} — "
                 "run swift build --build-tests first")
    check.objects(objects)
    check.report()
    if check.found:
        return 1
    print(f"check-apple: {files} files use nothing newer than macOS {check.macos[0]}.{check.macos[1]} and iOS "
          f"{check.ios[0]}.{check.ios[1]}; {planted} planted uses found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
