"""What scripts need to know of Swift's syntax. Shared by the scripts beside it."""
import re


def without_comments_and_text(text):
    """The same lines and columns, with comments and string literals blanked."""
    pattern = r'#*"""[\s\S]*?"""#*|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*[\s\S]*?\*/'
    return re.sub(pattern, lambda match: re.sub(r"[^\n]", " ", match[0]), text)
