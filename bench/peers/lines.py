"""A program that is asked in lines."""
import subprocess
from typing import List


class Lines:
    """A program that answers a line with a line, started when it is first asked."""

    def __init__(self, command: List[str], greeting: bool = False):
        self.command, self.greeting, self.process = command, greeting, None

    def ask(self, text: str) -> str:
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            if self.greeting:
                self.process.stdout.readline()
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def close(self) -> None:
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()
            self.process = None
