"""Exit codes and the one exception that ends netlab with a clear line."""

USAGE = 2
FAILED = 3
REFUSED = 4
SKIPPED = 77


class LabError(Exception):
    """Ends the command: `code` is the exit status, the text is the one line on stderr."""

    def __init__(self, code: int, text: str):
        super().__init__(text)
        self.code = code
