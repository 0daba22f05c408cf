"""Runs the literate programs in PyTorch: what is marked must be raised in its line, and nothing else.

    programs.py FOLDER [PART OF A TITLE]

Promises a Markdown summary on standard output; a program that behaves otherwise is listed with what happened.
A marked warning is a program that runs, because PyTorch does not see what is silently wrong; or it raises in that
line, because the data were such.
A block that begins `python file NAME` is another program, which is run first in the folder of the next one.
"""

import importlib.util
import io
import os
import pathlib
import re
import sys
import tempfile
import traceback
import contextlib
import warnings


def main() -> None:
    folder, part = pathlib.Path(sys.argv[1]), "".join(sys.argv[2:3])
    import torch  # once, before the programs are forked

    torch.set_num_threads(1)
    count, broken, wrong, left_out = 0, 0, [], []
    for document in sorted(folder.glob("*.md")):
        for title, arguments, text, beside in programs(document.read_text()):
            title = f"{document.stem}: {title}"
            if part not in title:
                continue
            missing = [name for name in re.findall(r"^(?:from|import) (\w+)", text, re.M) if importlib.util.find_spec(name) is None]
            if missing:
                left_out.append(f"* not run: {title}, because {', '.join(missing)} is not installed")
                continue
            wanted = [number for number, line in enumerate(text.splitlines(), 1) if "# error: " in line]
            count, broken = count + 1, broken + bool(wanted)
            raised = in_child(text, arguments, beside)
            doubtful = [str(number) for number, line in enumerate(text.splitlines(), 1) if "# warning: " in line]
            line = raised.split(":")[0]
            if line != (str(wanted[0]) if wanted else "") and (wanted or line not in doubtful):
                wrong.append(f"- {title}: {raised or 'nothing was raised'}, but marked is {wanted or 'nothing'}")
    print(f"{count} programs, {broken} with an error; {len(wrong)} behave otherwise in PyTorch.\n")
    print("\n".join(wrong + left_out))


def programs(text: str):
    title, block, arguments, beside = "", None, [], {}
    for line in text.splitlines():
        if block is not None:
            if line.startswith("```"):
                text, block = "\n".join(block) + "\n", None
                if arguments[:1] == ["file"]:
                    beside[arguments[1]] = text
                else:
                    yield title, arguments, text, beside
                    beside = {}
            else:
                block.append(line)
        elif line.startswith("#"):
            title = line.lstrip("#").strip()
        elif line.startswith("```python"):
            block, arguments = [], line.removeprefix("```python").split()


def in_child(text: str, arguments: list[str], beside: dict[str, str]) -> str:
    """`line: exception` for what nobody caught, or nothing."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.write(writing, outcome(text, arguments, beside).encode()[:60000])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        said = answer.read().decode()
    os.waitpid(child, 0)
    return said


def outcome(text: str, arguments: list[str], beside: dict[str, str]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.path.insert(0, folder)
        for name, other in beside.items():
            pathlib.Path(name).write_text(other)
            exec(compile(other, name, "exec"), {"__name__": "__main__", "__file__": name})
        sys.argv = ["program.py", *arguments]
        names = {"__name__": "__main__", "__file__": "program.py"}
        # Classes look their module up.
        sys.modules["__main__"].__dict__.update(names)
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile(text, "program.py", "exec"), names)
        except SystemExit as end:
            return "" if end.code in (None, 0) else f"exit: {end.code}"
        except BaseException as problem:
            lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == "program.py"]
            if isinstance(problem, SyntaxError) and not lines:
                lines = [problem.lineno]
            return f"{lines[-1]}: {type(problem).__name__}: {str(problem)[:200]}"
    return ""


if __name__ == "__main__":
    main()
