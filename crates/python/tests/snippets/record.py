"""Records what CPython prints for every snippet, beside the snippets: `python3 record.py`."""

import contextlib
import io
import pathlib
import sys


def sections(text):
    """Pairs of name and program; a line `# --- name` starts a snippet."""
    for part in text.split("# --- ")[1:]:
        name, _, program = part.partition("\n")
        yield name.strip(), program


def printed(program):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(program, "snippet", "exec"), {"__name__": "__main__"})
        except BaseException as error:
            print(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)
    return out.getvalue()


sys.argv = ["snippet.py"]
for file in sorted(pathlib.Path(__file__).parent.glob("*.py")):
    if file.name == "record.py":
        continue
    parts = [f"# --- {name}\n{printed(program)}" for name, program in sections(file.read_text())]
    file.with_suffix(".out").write_text("".join(parts))
