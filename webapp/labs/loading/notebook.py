"""Reads a student's file: Python as it is, a Jupyter or Colab notebook as the code of its cells.

Standard library only."""

import json
from pathlib import Path


def python_source(file: Path) -> bytes:
    """Return the Python in a file; lines of a notebook that speak to the notebook (%, !) become comments."""
    content = file.read_bytes()
    if file.suffix != ".ipynb":
        return content
    try:
        cells = [cell["source"] for cell in json.loads(content)["cells"] if cell["cell_type"] == "code"]
        lines = "\n".join(cell if isinstance(cell, str) else "".join(cell) for cell in cells).split("\n")
    except (ValueError, KeyError, TypeError, RecursionError):  # no notebook: Python will say what is wrong with it
        return content
    return "\n".join(f"# {line}" if line[:1] in ("%", "!") else line for line in lines).encode("utf-8", "surrogatepass")
