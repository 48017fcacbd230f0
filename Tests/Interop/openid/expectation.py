"""What a check says when it does not hold, and how it waits."""

import time


class Failure(Exception):
    """A check that does not hold, or a program that does not do what it has to; the text says which."""


def require(condition, words):
    """Throws Failure with the words unless the condition holds."""
    if not condition:
        raise Failure(words)


def wait_for(find, words, seconds=60):
    """The first true value of `find()`, asked each 50 ms; throws Failure with the words after that many seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := find():
            return found
        time.sleep(0.05)
    raise Failure(words)
