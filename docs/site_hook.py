"""The site's files: those of docs/ and handouts/ and the pages beside them, under their own names.

So a link works in the site as it does in the folder.
"""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

TOP = ("README.md", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "SECURITY.md")
SEARCH = 'data-md-component="search" role="dialog"'  # the theme's, which has no name
SUFFIXES = (".md", ".png", ".svg", ".js", ".css")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Return the site's files in place of those that mkdocs found in docs/; what themes add stays."""
    root = Path(config.config_file_path).parent
    for file in list(files):
        if file.abs_src_path and Path(file.abs_src_path).is_relative_to(root / "docs"):
            files.remove(file)
    below = [
        path for room in ("docs", "handouts") for path in (root / room).rglob("*") if path.suffix in SUFFIXES
    ]
    for path in sorted([*below, *(root / name for name in TOP if (root / name).is_file())]):
        files.append(File.generated(config, path.relative_to(root).as_posix(), abs_src_path=str(path)))
    files.append(File.generated(config, "icon.svg", abs_src_path=str(root / "grader/web/static/icon.svg")))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Give the first page, which is the README, its own template, which says what its first lines say."""
    if not page.is_homepage:
        return markdown
    page.meta |= {"template": "home.html", "hide": ["toc"], "title": "Peg Solitaire"}
    return markdown[markdown.index("\n```") :]


def on_post_page(output: str, **_: object) -> str:
    """Give the theme's search a name for screen readers, and let the keyboard scroll code."""
    return output.replace(SEARCH, f'{SEARCH} aria-label="Search"').replace("<pre>", '<pre tabindex="0">')


on_post_template = on_post_page  # the page for addresses that lead nowhere is none of the pages
