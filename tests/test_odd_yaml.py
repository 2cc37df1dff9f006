"""Values that PyYAML's constructors fail on are the file's fault, not the grader's."""

from pathlib import Path

import pytest

from grader.catalog import yaml_file
from grader.errors import InputError

ODD = {"int": "!!int ''", "bool": "!!bool x", "float": ":".join(["59"] * 300) + ".5"}


@pytest.mark.parametrize("value", ODD.values(), ids=ODD)
def test_an_odd_value(value: str, tmp_path: Path) -> None:
    path = tmp_path / "examples.yaml"
    with pytest.raises(InputError, match="not usable YAML"):
        yaml_file._parsed(f"fewest: {value}\n".encode(), path, "help", yaml_file.yaml.load)
