"""JUnit's XML, as CI services read it: one suite per task, one case per board.

The format has no official definition; this follows https://github.com/testmoapp/junitxml, and keeps to what
junit-10.xsd of https://github.com/jenkinsci/xunit-plugin allows: `skipped` is an attribute of a suite, not of
the whole.
"""

from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from grader.catalog.tasks import Task
from grader.reports.content import explanation, made_line, notes, outcome, printed
from grader.reports.report import Report
from grader.result import Result, Verdict
from grader.safe_text import one_line


def format_report(report: Report) -> str:
    """Return the XML document.

    A check without full marks is a failure; if the grader is at fault, an error; if it was not run, skipped.
    """
    counts = _counts(list(report.results))
    del counts["skipped"]
    root = Element("testsuites", {"name": "peg solitaire", **counts})
    for task in report.tasks:
        root.append(_suite(task, report))
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _suite(task: Task, report: Report) -> Element:
    results = report.of(task)
    suite = Element("testsuite", {"name": task.name, **_counts(results)})
    properties = SubElement(suite, "properties")
    points = zip(("points", "max_points"), report.points(task), strict=True)
    told = [("note", note) for note in notes(report)] + [("made", made_line(report))] * bool(report.made)
    for name, value in (*points, *told):
        SubElement(properties, "property", {"name": name, "value": str(value)})
    for result in results:
        suite.append(_case(result))
    return suite


def _case(result: Result) -> Element:
    case = Element(
        "testcase", {"name": one_line(result.board), "classname": result.task, "time": f"{result.cpu_s:.3f}"}
    )
    if not result.full:
        child = SubElement(case, _child(result), {"type": str(result.verdict), "message": outcome(result)})
        child.text = explanation(result)
    if result.printed:
        SubElement(case, "system-out").text = printed(result)
    return case


def _child(result: Result) -> str:
    return {Verdict.GRADER_ERROR: "error", Verdict.NOT_RUN: "skipped"}.get(result.verdict, "failure")


def _counts(results: list[Result]) -> dict[str, str]:
    short = [_child(result) for result in results if not result.full]
    return {
        "tests": str(len(results)),
        "failures": str(short.count("failure")),
        "errors": str(short.count("error")),
        "skipped": str(short.count("skipped")),
        "time": f"{sum(result.cpu_s for result in results):.3f}",
    }
