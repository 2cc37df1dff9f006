"""Distinguish the student's files from the grader's, the framework's and the libraries'."""

import os
import traceback
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

_code_folder = ""


def set_code_folder(folder: str) -> None:
    """Set the folder of the student's code; other files are the grader's, the framework's or a library's."""
    global _code_folder
    _code_folder = folder + os.sep


def is_students(file: str | None) -> bool:
    """Return whether a file belongs to the submission."""
    return bool(file) and str(file).startswith(_code_folder)


def students_frame(trace: TracebackType | None) -> tuple[Any, int] | None:
    """Return the innermost frame of the student's code in a traceback, and its line."""
    frames = students_frames(trace)
    return frames[-1] if frames else None


def students_frames(trace: TracebackType | None) -> list[tuple[Any, int]]:
    """Return the frames of the student's code in a traceback, the outermost first, each with its line."""
    return [each for each in traceback.walk_tb(trace) if is_students(each[0].f_code.co_filename)]


def call_again(trace: TracebackType | None) -> tuple[Any, int] | None:
    """Return the innermost frame of a function that leads to a call of itself, and the line of that call."""
    called = set()
    for frame, line in reversed(students_frames(trace)):
        if frame.f_code in called:
            return frame, line
        called.add(frame.f_code)
    return None


def students_calls(frame: FrameType | None) -> list[FrameType]:
    """Return the calls of the student's functions that lead to a frame, the outermost first."""
    calls = []
    while frame is not None:
        if is_students(frame.f_code.co_filename):
            calls.append(frame)
        frame = frame.f_back
    return calls[::-1]


def short(file: str) -> str:
    """Return a file's name as the student knows it: peg3.py, or framework/stack.py."""
    path = Path(file)
    return path.name if is_students(file) else f"{path.parent.name}/{path.name}"


def students_file(name: str) -> Path | None:
    """Return the submission's file that has this name, ignoring any folder in the name."""
    file = Path(_code_folder) / Path(name).name
    return file if file.is_file() else None


def students_files() -> list[Path]:
    """Return the files of the submission."""
    return sorted(Path(_code_folder).glob("*.py"))
