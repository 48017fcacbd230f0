"""The OpenAPI document of the server, and the judgement of an answer by it."""

import json
import re

import jsonschema_rs
import yaml

from expectation import Failure, require

METHODS = ["get", "post", "put", "patch", "delete"]


class Operation:
    """An operation of the document; one that is managed is served on the port for the operator."""

    def __init__(self, document, path, method, content, is_managed):
        self.document, self.path, self.method, self.content = document, path, method, content
        self.is_managed = is_managed

    def __str__(self):
        return f"{self.method.upper()} {self.path}"

    @property
    def address(self):
        """Path with an identifier of the right form, and of nothing, in place of each name."""
        return re.sub(r"\{\w+\}", "A" * 22, self.path)

    @property
    def body_type(self):
        """First content type of the body; None without one."""
        return next(iter(self.content.get("requestBody", {}).get("content", {})), None)

    @property
    def needs_proof(self):
        """Whether a sender without a key is refused: no key, a cookie or a signature."""
        security = self.content.get("security", [])
        return bool(security) and {} not in security

    def judge(self, answer):
        """Throws Failure when status, content type or body of an answer stand not in the document."""
        described = self.document.resolved(self.content["responses"].get(str(answer.status_code)))
        require(described, f"{self}: {answer.status_code} is not described: {answer.text[:200]}")
        kinds = described.get("content", {})
        if not answer.content and not kinds:
            return
        kind = answer.headers.get("Content-Type", "").split(";")[0].strip()
        require(kind in kinds, f"{self}: {answer.status_code} comes as {kind or 'nothing'} and not as {list(kinds)}")
        if kind.endswith("json"):
            self.document.judge(f"{self}: {answer.status_code}", answer.text, kinds[kind]["schema"])


class Document:
    """An OpenAPI document."""

    def __init__(self, text):
        self.content = yaml.safe_load(text)
        self.operations = [
            Operation(self, path, method, item[method], "servers" in item)
            for path, item in self.content["paths"].items() for method in METHODS if method in item]

    def operation(self, method, path):
        """Operation of a request; None when there is none."""
        names = path.rstrip("/").split("/")
        for operation in self.operations:
            parts = operation.path.split("/")
            if operation.method == method.lower() and len(parts) == len(names) and all(
                    part in (name, f"{{{part.strip('{}')}}}") for part, name in zip(parts, names)):
                return operation
        return None

    def resolved(self, part):
        """What a reference leads to; anything else is itself."""
        while part and "$ref" in part:
            found = self.content
            for name in part["$ref"].removeprefix("#/").split("/"):
                found = found[name]
            part = found
        return part

    def judge(self, words, text, schema):
        """Throws Failure when a JSON text is none of the schema."""
        try:
            value = json.loads(text)
        except ValueError:
            raise Failure(f"{words}: the body is no JSON") from None
        rules = jsonschema_rs.Draft202012Validator({**schema, "components": self.content["components"]})
        for fault in rules.iter_errors(value):
            place = ".".join(str(part) for part in fault.instance_path)
            raise Failure(f"{words}: {place or 'the body'}: {fault.message[:300]}")
