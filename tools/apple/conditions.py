"""Which lines of a Swift file are compiled on Apple's systems, as far as its `#if` lines say."""
import re

# What is known about an Apple system. Everything else, such as `arch(x86_64)`, may be either.
MACOS = {
    "os(Linux)": False, "os(Windows)": False, "os(Android)": False, "os(WASI)": False,
    "os(macOS)": True, "os(OSX)": True, "os(iOS)": False, "os(tvOS)": False, "os(watchOS)": False,
    "os(visionOS)": False,
    "canImport(Glibc)": False, "canImport(Musl)": False, "canImport(Android)": False,
    "canImport(WinSDK)": False, "canImport(UIKit)": False,
    "canImport(Darwin)": True, "canImport(Foundation)": True, "canImport(Dispatch)": True,
    "canImport(CoreVideo)": True, "canImport(CoreMedia)": True, "canImport(CoreGraphics)": True,
    "canImport(Accelerate)": True, "canImport(os)": True, "canImport(Synchronization)": True,
    "hasFeature(Embedded)": False,
}
IOS = MACOS | {"os(macOS)": False, "os(OSX)": False, "os(iOS)": True, "canImport(UIKit)": True}
# What holds on every one of them; where they differ it may be either.
APPLE = {name: value for name, value in MACOS.items() if IOS[name] == value}

_TOKEN = re.compile(r"\s*(&&|\|\||!|\(|\)|[A-Za-z_]\w*\s*\((?:[^()]|\([^()]*\))*\)|[A-Za-z_]\w*)")


def evaluate(condition, facts):
    """True, False, or None if the facts do not decide it."""
    tokens, position = [], 0
    condition = condition.split("//")[0].strip()
    while position < len(condition):
        match = _TOKEN.match(condition, position)
        if not match:
            return None
        tokens.append(re.sub(r"\s", "", match[1]))
        position = match.end()

    def either():
        value = both()
        while tokens and tokens[0] == "||":
            tokens.pop(0)
            other = both()
            value = True if True in (value, other) else None if None in (value, other) else False
        return value

    def both():
        value = single()
        while tokens and tokens[0] == "&&":
            tokens.pop(0)
            other = single()
            value = False if False in (value, other) else None if None in (value, other) else True
        return value

    def single():
        token = tokens.pop(0) if tokens else ""
        if token == "!":
            value = single()
            return None if value is None else not value
        if token == "(":
            value = either()
            if tokens:
                tokens.pop(0)
            return value
        return {"true": True, "false": False}.get(token, facts.get(token))

    return either()


def compiled_lines(text, facts=APPLE):
    """For each line, whether it may be compiled under the facts. The first line is at index 0."""
    # For each open `#if`: whether this branch may be taken, and whether an earlier one always is.
    stack, lines = [], []
    for line in text.split("\n"):
        directive = re.match(r"\s*#(if|elseif|else|endif)\b(.*)", line)
        if directive:
            word, condition = directive[1], directive[2]
            if word == "if":
                value = evaluate(condition, facts)
                stack.append((value is not False, value is True))
            elif word == "endif" and stack:
                stack.pop()
            elif stack:
                value = True if word == "else" else evaluate(condition, facts)
                decided = stack[-1][1]
                stack[-1] = (not decided and value is not False, decided or value is True)
        lines.append(all(taken for taken, _ in stack))
    return lines


def with_facts(text, facts):
    """The text with its conditions replaced by what the facts say, line by line."""
    def replaced(match):
        line = match[0]
        for name, value in facts.items():
            line = re.sub(r"\b" + re.escape(name).replace(r"\(", r"\s*\(\s*").replace(r"\)", r"\s*\)"),
                          "true" if value else "false", line)
        return line
    return re.sub(r"^[ \t]*#(if|elseif)\b.*$", replaced, text, flags=re.M)
