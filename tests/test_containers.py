"""What pins and describes an installation: uv.lock, the Dockerfile and the dev containers fit the project."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
DEV_CONTAINERS = {
    ".devcontainer/devcontainer.json": "Makefile",
    "grader/release/files/devcontainer.json": "grader/release/files/Makefile",
}
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")


@pytest.fixture(scope="module")
def lock() -> dict[str, Any]:
    return tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))


def test_the_lock_fits_the_project(lock: dict[str, Any]) -> None:
    """To mend it: uv lock."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = {"": project["dependencies"], **project["optional-dependencies"]}
    wanted = {(extra, *named(Requirement(each))) for extra, needed in extras.items() for each in needed}
    (ours,) = (each for each in lock["package"] if each["name"] == project["name"])
    found = set()
    for each in ours["metadata"]["requires-dist"]:
        extra = re.search(r"extra == '(.*)'", each.get("marker", ""))
        found.add((extra[1] if extra else "", each["name"], each["specifier"]))
    assert found == wanted
    assert lock["requires-python"] == project["requires-python"]


def named(requirement: Requirement) -> tuple[str, str]:
    return requirement.name.lower(), str(requirement.specifier)


def test_the_lock_names_public_places_only() -> None:
    text = (ROOT / "uv.lock").read_text("utf-8")
    assert set(re.findall(r"https?://[^/\"]+", text)) == {
        "https://pypi.org",
        "https://files.pythonhosted.org",
    }
    assert len(re.findall(r'url = "', text)) == len(re.findall(r'hash = "sha256:[0-9a-f]{64}"', text)) > 100


def test_the_image_uses_the_lock_and_an_ordinary_user(lock: dict[str, Any]) -> None:
    (uv,) = (each["version"] for each in lock["package"] if each["name"] == "uv")
    assert f"pip install --no-cache-dir uv=={uv}\n" in DOCKERFILE
    assert DOCKERFILE.count("uv sync --locked ") == DOCKERFILE.count("uv sync") == 2
    steps = [line.split()[0] for line in DOCKERFILE.splitlines() if re.match(r"[A-Z]+ ", line)]
    assert "RUN" not in steps[steps.index("USER") :]  # all that is installed is root's
    assert re.search(r"^USER (?!root|0)", DOCKERFILE, re.MULTILINE)


@pytest.mark.parametrize("name", DEV_CONTAINERS)
def test_a_dev_container_runs_make(name: str) -> None:
    described = json.loads((ROOT / name).read_text("utf-8"))
    version = re.search(r"/python:3\.(\d+)", described["image"])
    assert version is not None and int(version[1]) >= 11
    target = re.fullmatch(r"make ?(\S*)", described["postCreateCommand"])
    assert target is not None
    makefile = (ROOT / DEV_CONTAINERS[name]).read_text("utf-8")
    assert re.search(rf"^{re.escape(target[1])}.*:", makefile, re.MULTILINE)
    assert described["remoteEnv"]["PATH"].startswith("${containerWorkspaceFolder}/.venv/bin:")
