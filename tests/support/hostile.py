"""Hold texts that try to inject code into an HTML page, and a parser that lists what a page is made of."""

from html.parser import HTMLParser

ATTACKS = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "</pre></article></style><script>alert(1)</script>",
    "\"><svg onload=alert(1)>' onfocus='alert(1)' autofocus x=\"",
    "{{ 7 * 7 }}{% raw %}<!--",
    "&lt;b&gt;&#60;b&#62;<![CDATA[",
    "javascript:alert(1)//\u202e\x00\x1b[31m\ud800\x85\r\n::error::x",
)


def is_plain(text: str) -> bool:
    """Return whether a text has only characters that can be seen, and lines."""
    return all(character == "\n" or character.isprintable() for character in text)


class Seen(HTMLParser):
    """What an HTML parser finds in a report."""

    def __init__(self, text: str) -> None:
        super().__init__()
        # each start tag with the names of its attributes, except those of a message's further lines
        self.tags: list[tuple[str, ...]] = []
        self.lines: list[str] = []  # the text of the message lines
        self.texts: list[str] = []  # the text outside the message lines
        self._in_line = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in_line = dict(attrs).get("class") in ("headline", "more")
        if self._in_line:
            self.lines.append("")
        if dict(attrs).get("class") != "more":
            self.tags.append((tag, *(name for name, _ in attrs)))

    def handle_endtag(self, tag: str) -> None:
        self._in_line = False

    def handle_data(self, data: str) -> None:
        if self._in_line:
            self.lines[-1] += data
        else:
            self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.tags.append(("comment",))
