"""`grade mail GRADED OUT`: write each student of a class a message with the feedback; it sends nothing."""

from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import click

from grader import paths
from grader.commands import new_folder
from grader.commands.options import PATH
from grader.course.csv_text import as_csv
from grader.course.records import file_name_of
from grader.course.reports.gradebook import ASSIGNMENT
from grader.course.told import Told, read_told
from grader.errors import FULL_MARKS, InputError
from grader.messages.phrases import count
from grader.safe_text import one_line

SUBJECT = f"{ASSIGNMENT}: your feedback"


@click.command()
@click.argument("graded", metavar="GRADED", type=PATH)
@click.argument("out", metavar="OUT", type=PATH)
@click.option("--from", "sender", metavar="ADDRESS", help="Your address, for the messages' From.")
@click.option("--subject", default=SUBJECT, show_default=True, metavar="TEXT", help="The messages' subject.")
@click.option("--merge", is_flag=True, help="Write one mail.csv for a mail merge instead of a message each.")
def mail(graded: Path, out: Path, sender: str | None, subject: str, merge: bool) -> int:
    """Write a message with the feedback for each student, in the new folder OUT; nothing is sent.

    GRADED is a folder that `grade class` made. Each message is an .eml file, a draft for any mail program.
    """
    new_folder.check(out)
    origin = None
    if sender is not None:
        origin = _address("", sender)
        if origin is None:
            raise InputError(
                f"--from: expected an e-mail address, found {one_line(sender)}", "as in --from me@x.org"
            )
    told = read_told(graded)
    wanted = [each for each in told.students if each.text]
    to = {each.student.id: _address(each.student.name, each.student.email) for each in wanted}
    without = [each.student.id for each in wanted if to[each.student.id] is None]
    reached = [(each, address) for each in wanted if (address := to[each.student.id])]
    if not reached:
        raise InputError(
            f"{paths.shown(graded)}: expected students with feedback and an e-mail address, found none",
            "name a roster with a column email in course.yaml, and run the same `grade class` again",
        )
    files: dict[str, str | bytes]
    if merge:
        rows = [[address.addr_spec, each.student.name, subject, each.text] for each, address in reached]
        files = {"mail.csv": as_csv([["email", "name", "subject", "text"], *rows], lines=True)}
    else:
        files = {
            f"{file_name_of(each.student.id)}.eml": _message(each, address, origin, subject)
            for each, address in reached
        }
    new_folder.write(out, files)
    click.echo(f"{paths.shown(out)}: {count(len(reached), 'message')}; nothing was sent")
    for student in without:
        click.echo(
            f"no message for {one_line(student)}: the roster has no e-mail address that can be used", err=True
        )
    return FULL_MARKS


def _address(name: str, text: str) -> Address | None:
    """Return an address; None if the text is not one.

    The library decodes an encoded word in a name, line breaks and all, as if it were its own.
    """
    try:
        address = Address(one_line(name).replace("=?", "= ?"), addr_spec=text.strip())
    except (ValueError, IndexError, HeaderParseError):
        return None
    return address if address.username and "." in address.domain else None


def _message(told: Told, to: Address, origin: Address | None, subject: str) -> bytes:
    """Return a message as an .eml file, which mail programs open as a draft that is not sent yet."""
    message = EmailMessage(SMTP)
    message["X-Unsent"] = "1"
    if origin is not None:
        message["From"] = origin
    message["To"] = to
    message["Subject"] = one_line(subject)
    message.set_content(told.text)
    if told.page:
        message.add_attachment(told.page, subtype="html", filename="feedback.html")
    # A long name keeps its quotes only where its line is not folded.
    return message.as_bytes(policy=SMTP.clone(max_line_length=998))
