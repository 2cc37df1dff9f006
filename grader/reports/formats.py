"""List the formats of a report by name. Each is a module in `reports` and a line here."""

FORMATS = {  # the module that renders each
    "table": "table",
    "json": "json_report",
    "gradescope": "gradescope",
    "autolab": "autolab",
    "classroom50": "classroom50",
    "github": "github",
    "junit": "junit",
    "markdown": "markdown",
    "html": "html_report",
}
FOR_STUDENTS = ("autolab", "classroom50", "github", "junit", "markdown")  # they read these immediately
# What may be shown in a log as it is. JSON keeps a text in one line, `github` makes commands of its own.
IN_LOGS = ("table", "autolab", "junit", "markdown")
NEEDED_LIBRARIES = {"html": "jinja2"}  # which the extra [play] brings
NEEDED_VARIABLES = {  # the environment variables that a format cannot do without
    "classroom50": ("CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL")
}
