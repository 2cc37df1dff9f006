"""List the report formats by name; each is a module in `reports` and a line here."""

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
# Formats that students see, immediately or later.
FOR_STUDENTS = ("autolab", "classroom50", "github", "gradescope", "junit", "markdown")
# Formats made safe for a log as a whole; JSON keeps its texts on one line, and `github` writes commands.
IN_LOGS = ("table", "autolab", "junit", "markdown")
NEEDED_LIBRARIES = {"html": "jinja2"}  # installed by the extra [play]
NEEDED_VARIABLES = {  # the environment variables that a format requires
    "classroom50": ("CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL")
}
