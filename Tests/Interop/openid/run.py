"""Tries software of other people against a real signet-server and phone: run.py PROGRAMS [--table] [NAME...]

Prints a line for each check. Exit codes: 0 all hold, 1 some do not, 2 something on this machine is missing, 64 wrong usage.
"""

import importlib
import os
import sys
import tempfile
import traceback

import table
from catalogue import RECIPES
from expectation import Failure
from stage import Stage

# Name of a client: its module and class.
CLIENTS = {
    **{recipe.name: ("catalogue", recipe.__name__) for recipe in RECIPES},
    "authlib": ("code_flow", "CodeFlow"),
    "dpop": ("bound_tokens", "BoundTokens"),
    "idpyoidc": ("ciba", "CIBA"),
    "apache": ("apache", "Apache"),
    "services": ("services", "Services"),
    "uaf": ("uaf", "UAF"),
    "refusals": ("refusals", "Refusals"),
    "schemathesis": ("contract", "Contract"),
}


def play(name, stage):
    """Runs the checks of a client, a line for each; whether all hold. Later checks build on earlier ones."""
    module, kind = CLIENTS[name]
    client = None
    try:
        client = getattr(importlib.import_module(module), kind)(stage)
        for words, check in client.checks():
            try:
                check()
            except Exception as error:
                print(f"{name}: FAILS: {words}: {reason(error)}{stage.ended()}", flush=True)
                return False
            print(f"{name}: holds: {words}", flush=True)
        return True
    except Exception as error:
        print(f"{name}: FAILS: it does not start: {reason(error)}{stage.ended()}", flush=True)
        return False
    finally:
        if hasattr(client, "close"):
            client.close()


def reason(error):
    """What went wrong in one line; where, when it is no check that does not hold."""
    words = " ".join(str(error).split())[:2000] or type(error).__name__
    if isinstance(error, Failure):
        return words
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {os.path.basename(place.filename)}:{place.lineno}: {words}"


def main():
    """Starts the server once and plays the clients that are named, or all of them."""
    names = [name for name in sys.argv[2:] if name != "--table"] or list(CLIENTS)
    writes = "--table" in sys.argv[2:]
    if len(sys.argv) < 2 or not set(names) <= set(CLIENTS) or writes and set(names) != set(CLIENTS):
        print(f"usage: run.py PROGRAMS [--table] [{'|'.join(CLIENTS)}]...", file=sys.stderr)
        return 64
    with tempfile.TemporaryDirectory(prefix="signet-interop-") as folder:
        try:
            with Stage(sys.argv[1], folder) as stage:
                failed = [name for name in names if not play(name, stage)]
        except Failure as failure:
            print(f"interop: {failure}", file=sys.stderr)
            return 2
    if writes and not failed:
        table.write(RECIPES)
    print(f"interop: {len(names) - len(failed)} of {len(names)} pass" + (f"; not: {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
