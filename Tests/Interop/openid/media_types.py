"""Media types of the document that schemathesis does not know: how bodies of them are written and read."""

import json

import schemathesis


@schemathesis.serializer("application/fido+uaf")
def write_message(context, value):
    """A message of FIDO UAF is JSON."""
    return json.dumps(value).encode()


@schemathesis.serializer("application/jose")
def write_token(context, value):
    """A token is text."""
    return str(value).encode()


@schemathesis.deserializer("application/fido+uaf")
def read_message(context, response):
    """A message of FIDO UAF is JSON."""
    return json.loads(response.content)
