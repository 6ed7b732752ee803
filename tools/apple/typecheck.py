#!/usr/bin/env python3
"""Type-checks the rooms as a Mac and an iPhone would compile them, on Linux without Apple's SDK.

The manifest's targets are compiled up to their module, with two changes: conditions of `#if` that are known
on Apple's systems are replaced by what holds there, and Apple's modules are thin stand-ins, which declare
just what FaceKit uses, with Apple's types. What is missing in a stand-in is an error here: look the
declaration up in Apple's documentation and add it. A Mac is taken to have an Intel processor, an iPhone arm64.

    tools/apple/typecheck.py [--only macOS|iOS]

Not seen: availability (availability.py looks for that), and what only Apple's processors have.
"""
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import conditions

ROOT = HERE.parent.parent
# A stand-in comes after those it imports.
STAND_INS = ["Darwin", "CoreGraphics", "Foundation", "CoreVideo", "CoreMedia", "UIKit"]
SYSTEMS = {
    "macOS": (conditions.MACOS, ["FaceKitTool"]),
    # Codecs and tool need C libraries that no iPhone has.
    "iOS": (conditions.IOS | {"arch(x86_64)": False, "arch(arm64)": True}, ["FaceKit"]),
}


def run(command, what):
    finished = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if finished.returncode:
        print(finished.stdout.decode(errors="replace"), file=sys.stderr)
        sys.exit(f"check-apple: error: {what} — see above")


def flags(target):
    """The settings of the manifest, without those that optimise. Also whether they are for x86 only."""
    given = []
    for setting in target["settings"]:
        kind, value = next(iter(setting["kind"].items()))
        if setting["tool"] != "swift" or "condition" in setting:
            continue
        if kind == "define":
            given += ["-D", value["_0"]]
        elif kind == "unsafeFlags":
            given += [flag for flag in value["_0"] if not flag.startswith("-O")]
        elif kind == "swiftLanguageMode":
            given += ["-swift-version", value["_0"]]
        elif kind == "enableExperimentalFeature":
            given += ["-enable-experimental-feature", value["_0"]]
        elif kind == "enableUpcomingFeature":
            given += ["-enable-upcoming-feature", value["_0"]]
        elif kind == "treatAllWarnings" and value["_0"] == "error":
            given.append("-warnings-as-errors")
    return given, any(flag.startswith(("-march=x86", "-mavx")) for flag in given)


def ordered(targets, roots):
    """The targets that the roots need, each after its dependencies."""
    order = []

    def visit(name):
        if name in order:
            return
        for dependency in targets[name]["dependencies"]:
            kind = "byName" if "byName" in dependency else "target"
            visit(dependency[kind][0])
        order.append(name)

    for root in roots:
        visit(root)
    return order


def sources(folder):
    return sorted(path for path in folder.resolve().rglob("*.swift"))


def embedded(target):
    """What SwiftPM generates for resources that are embedded in the code."""
    lines = [
        f"  static let {resource['path'].split('/')[-1].replace('.', '_')}: [UInt8] = []"
        for resource in target.get("resources", []) if "embedInCode" in resource["rule"]]
    return "struct PackageResources {\n" + "\n".join(lines) + "\n}\n" if lines else ""


def check_planted(emit, facts, out):
    """Stops the check if it would miss a mistake that only Apple's compiler sees."""
    planted = {
        "right": "public func f() -> Int32 { Darwin.sched_yield() }",
        "a function of Linux": "public func f() -> Int32 { eventfd(0, 0) }",
        "a type of Linux": "public func f() { var a = posix_spawn_file_actions_t()\n"
                           "posix_spawn_file_actions_init(&a) }",
    }
    for what, text in planted.items():
        file = out / "Planted.swift"
        file.write_text(conditions.with_facts(
            f"#if canImport(Glibc)\nimport Glibc\n#elseif canImport(Darwin)\nimport Darwin\n{text}\n#endif\n", facts))
        finished = subprocess.run(
            emit + ["-module-name", "Planted", "-o", str(out / "Planted.swiftmodule"), str(file)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if (finished.returncode == 0) != (what == "right"):
            sys.exit(f"check-apple: error: {what}, planted, was {'refused' if what == 'right' else 'not found'}"
                     " — tools/apple/typecheck.py")


def check(system, manifest):
    facts, roots = SYSTEMS[system]
    targets = {target["name"]: target for target in manifest["targets"]}
    out = ROOT / ".build" / "apple" / system
    shutil.rmtree(out, ignore_errors=True)
    modules = out / "modules"
    modules.mkdir(parents=True)
    emit = ["swiftc", "-emit-module", "-wmo", "-parse-as-library", "-Onone", "-I", str(modules),
            "-I", str(HERE / "stand-ins" / "CDarwin")]
    for name in STAND_INS:
        if system == "macOS" and name == "UIKit":
            continue
        run(emit + ["-swift-version", "6", "-module-name", name, "-o", str(modules / f"{name}.swiftmodule"),
                    str(HERE / "stand-ins" / f"{name}.swift")], f"the stand-in of {name}")
    check_planted(emit, facts, out)
    names, count = ordered(targets, roots), 0
    for name in names:
        target = targets[name]
        folder = ROOT / target.get("path", f"Sources/{name}")
        if target["type"] == "system":
            emit += ["-I", str(folder)]
            if not target.get("pkgConfig"):
                continue
            found = subprocess.run(["pkg-config", "--cflags-only-I", target["pkgConfig"]],
                                   stdout=subprocess.PIPE).stdout.decode()
            for flag in found.split():
                emit += ["-Xcc", flag]
            continue
        given, is_x86 = flags(target)
        if is_x86 and facts.get("arch(x86_64)") is False:
            continue
        files = []
        for path in sources(folder):
            copy = out / name / path.relative_to(folder.resolve())
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(conditions.with_facts(path.read_text(), facts))
            files.append(str(copy))
        generated = embedded(target)
        if generated:
            files.append(str(out / name / "PackageResources.swift"))
            pathlib.Path(files[-1]).write_text(generated)
        count += len(files)
        run(emit + given + ["-package-name", "facekit", "-module-name", name,
                            "-o", str(modules / f"{name}.swiftmodule")] + files,
            f"{name} as {system} would compile it")
    print(f"check-apple: {count} files of {len(names)} targets pass as {system} would compile them")


def main():
    manifest = json.loads(subprocess.run(
        ["swift", "package", "dump-package"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    only = sys.argv[2:] if sys.argv[1:2] == ["--only"] else list(SYSTEMS)
    for system in only:
        check(system, manifest)


if __name__ == "__main__":
    main()
