"""The error for a question that the engine cannot answer."""


class OracleError(Exception):
    """A question that cannot be answered."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.message = message
        self.help = help
