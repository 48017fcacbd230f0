#!/usr/bin/python3
"""Verifies a receipt with the lines of docs/web/back-ends.md, which it takes from there.

    verify_receipt.py DOCUMENT < INPUT

The input is JSON: {"receipt": TOKEN, "keys": JWK SET}. Prints the claims as one line of JSON; exit code 1 when the receipt does
not hold.
"""

import json
import sys

if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as document:
        program = document.read().split("```python\n")[1].split("```")[0]
    space = {}
    exec(compile(program, sys.argv[1], "exec"), space)
    question = json.load(sys.stdin)
    try:
        claims = space["verified"](question["receipt"], question["keys"])
    except Exception as error:
        sys.exit(f"refused: {error!r}")
    print(json.dumps(claims))
