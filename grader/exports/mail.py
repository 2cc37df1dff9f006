"""Write each student of a class a message with the feedback, for any mail program; nothing is sent."""

import hashlib
from collections.abc import Sequence
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP

from grader.course.csv_text import as_csv
from grader.course.records import file_name_of
from grader.course.reports.gradebook import ASSIGNMENT
from grader.course.told import Told, ToldClass
from grader.safe_text import one_line

SUBJECT = f"{ASSIGNMENT}: your feedback"


def reached(told: ToldClass) -> list[tuple[Told, Address]]:
    """Return the students who have feedback and an address that can be used, each with it."""
    both = (
        (each, read_address(each.student.name, each.student.email)) for each in told.students if each.text
    )
    return [(each, address) for each, address in both if address is not None]


def mail_files(to: Sequence[tuple[Told, Address]], origin: Address | None) -> dict[str, str | bytes]:
    """Return a message for each of some students, and mail.csv for a mail merge; no files for nobody."""
    if not to:
        return {}
    rows = [[address.addr_spec, each.student.name, SUBJECT, each.text] for each, address in to]
    return {
        **{
            f"mail/{file_name_of(each.student.id)}.eml": _message(each, address, origin)
            for each, address in to
        },
        "mail.csv": as_csv([["email", "name", "subject", "text"], *rows], lines=True),
    }


def read_address(name: str, text: str) -> Address | None:
    """Return an address; None if the text is not one, or has a domain that is not written as mail needs it.

    The library decodes an encoded word in a name, line breaks and all, as if it were its own.
    """
    try:
        address = Address(one_line(name).replace("=?", "= ?"), addr_spec=text.strip())
    except (ValueError, IndexError, HeaderParseError):
        return None
    return address if address.username and "." in address.domain and address.domain.isascii() else None


def _message(told: Told, to: Address, origin: Address | None) -> bytes:
    """Return a message as an .eml file, which mail programs open as a draft that is not sent yet."""
    message = EmailMessage(SMTP)
    message["X-Unsent"] = "1"
    if origin is not None:
        message["From"] = origin
    message["To"] = to
    message["Subject"] = SUBJECT
    message.set_content(told.text)
    if told.page:
        message.add_attachment(told.page, subtype="html", filename="feedback.html")
        # The library draws one; the same feedback is to give the same bytes.
        message.set_boundary(hashlib.sha256((told.text + told.page).encode()).hexdigest())
    # A long name keeps its quotes only where its line is not folded.
    return message.as_bytes(policy=SMTP.clone(max_line_length=998))
