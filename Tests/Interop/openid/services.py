"""The relying-party API and the port for the operator, as a system uses them; each answer has to be in the OpenAPI document."""

import secrets

import requests

from expectation import require, wait_for
from stage import USER

TEXT = "Pay CHF 10 to the interop shop"


class Services:
    """A system with an access key."""

    def __init__(self, stage):
        self.stage = stage
        self.client = stage.watched(requests.Session())
        self.client.headers["Authorization"] = f"Bearer {stage.access_key}"

    def checks(self):
        """Names and functions of the checks, in their order."""
        return [
            ("a user is found by name and by identifier, with the phone", self.find),
            ("an approval is confirmed on the phone, and the status has a receipt", self.approve),
            ("an approval that the phone declines has failed", self.decline),
            ("the same request under one key is answered once, another one with 422", self.repeat),
            ("an enrolment has a QR code, and ends with its user", self.enrol),
            ("an authenticator gets another name", self.rename),
            ("liveness, health and metrics are shown", self.manage),
        ]

    def call(self, method, path, status, **arguments):
        """Calls a service; its JSON. Throws Failure for another status."""
        headers = {"Idempotency-Key": secrets.token_urlsafe(24)} if method == "POST" else {}
        headers |= arguments.pop("headers", {})
        answer = self.client.request(
            method, f"{self.stage.issuer}/api/v1/{path}", headers=headers, timeout=60, **arguments)
        require(answer.status_code == status, f"{method} {path} answered {answer.status_code}: {answer.text[:300]}")
        return answer.json() if answer.content else None

    def find(self):
        self.user = self.call("GET", "users", 200, params={"username": USER})
        require(self.user == self.call("GET", f"users/{self.user['userId']}", 200), "another user by the identifier")
        require(self.user["authenticators"], "the user has no phone")
        self.call("GET", "users", 404, params={"username": "absent"})

    def begin(self, **members):
        """Begins an approval by push."""
        return self.call("POST", "approval", 200, json={"username": USER, "channel": "push", **members})

    def status(self, begun, wanted):
        """State of an approval once it has ended."""
        def ended():
            state = self.call("POST", "status", 200, json={"statusToken": begun["statusToken"], "wait": 1000})
            return state if state["status"] != "pending" else None
        state = wait_for(ended, "the approval does not end")
        require(state["status"] == wanted, f"the approval has {state['status']}")
        return state

    def confirm(self, begun):
        """Confirms on the phone, with the digits when there are some."""
        digits = begun.get("digits")
        options = ["--digits-file", self.stage.secret("digits", digits)] if digits else []
        self.stage.phone("approve", ["--pin-file", self.stage.pin_file, *options])

    def approve(self):
        begun = self.begin(message=TEXT)
        self.confirm(begun)
        state = self.status(begun, "succeeded")
        require(state.get("receipt"), "there is no receipt")
        inspected = self.call("POST", "introspect", 200, data={"token": begun["statusToken"]})
        require(inspected["active"], "the status token is not active")
        if "token" in state:
            self.call("POST", "introspect", 200, data={"token": state["token"]})

    def decline(self):
        begun = self.begin(message=TEXT)
        self.stage.deny()
        self.status(begun, "failed")

    def repeat(self):
        key = {"Idempotency-Key": secrets.token_urlsafe(24)}
        asked = {"username": "ben", "channel": "app"}
        first = self.call("POST", "users/enroll", 201, json=asked, headers=key)
        require(first == self.call("POST", "users/enroll", 201, json=asked, headers=key), "answered twice")
        self.call("POST", "users/enroll", 422, json={**asked, "username": "eve"}, headers=key)

    def enrol(self):
        answer = self.call("POST", "users/enroll", 200, json={"username": "ben", "channel": "app"})
        require(answer["enrollment"]["qrCode"]["dataUri"].startswith("data:image/png;base64,"), "there is no picture")
        self.call("DELETE", f"users/{answer['userId']}", 204)
        self.call("GET", f"users/{answer['userId']}", 404)

    def rename(self):
        identifier = self.user["authenticators"][0]["authenticatorId"]
        answer = self.call("PATCH", f"authenticators/{identifier}", 200, json={"name": "Red phone"})
        require(answer["name"] == "Red phone", "it has another name")

    def manage(self):
        for operation in self.stage.document.operations:
            if operation.is_managed:
                answer = requests.get(self.stage.management + operation.path, timeout=30)
                operation.judge(answer)
                require(answer.status_code == 200, f"{operation} answered {answer.status_code}")
