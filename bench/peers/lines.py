"""A server process with one line of output per line of input."""
import subprocess
from typing import List


class Lines:
    """A program that answers a line with a line, started at the first request."""

    def __init__(self, command: List[str], greeting: bool = False):
        self.command, self.greeting, self.process = command, greeting, None

    def start(self) -> str:
        """The greeting, if it has one."""
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self.process.stdout.readline().strip() if self.greeting else ""

    def request(self, text: str) -> str:
        if self.process is None:
            self.start()
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def close(self) -> None:
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()
            self.process = None
