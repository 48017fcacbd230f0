"""A virtual authenticator of Chromium, in the window of a browser (DevTools protocol, domain WebAuthn)."""
NO_OFFER = "window.PublicKeyCredential.isConditionalMediationAvailable = async () => false;"


class Authenticator:
    """Passkeys in a laptop (`internal`) or on a key (`usb`); it is touched at once as long as it is.

    `resident`: passkeys can be found without a name. `verifies`: it asks for finger or PIN. `synced`: its passkeys may be on several
    devices.
    """

    def __init__(self, browser, transport="internal", resident=True, verifies=True, synced=False):
        self.browser = browser
        self._tell("enable", enableUI=False)
        options = {"protocol": "ctap2", "ctap2Version": "ctap2_1", "transport": transport, "hasResidentKey": resident,
                   "hasUserVerification": verifies, "isUserVerified": verifies, "automaticPresenceSimulation": True,
                   "defaultBackupEligibility": synced, "defaultBackupState": synced}
        self.id = self._tell("addVirtualAuthenticator", options=options)["authenticatorId"]

    def verify(self, is_verified):
        """Has the person verified from now on, or not."""
        self._tell("setUserVerified", authenticatorId=self.id, isUserVerified=is_verified)

    def spoil(self, **bits):
        """Spoils answers from now on: `isBogusSignature`, `isBadUV`, `isBadUP`; with none of them it is sound again."""
        self._tell("setResponseOverrideBits", authenticatorId=self.id, **bits)

    @property
    def passkeys(self):
        """Passkeys with their private keys and counters."""
        return self._tell("getCredentials", authenticatorId=self.id)["credentials"]

    def put(self, passkey, **changes):
        """Puts a passkey back, or a copy of it."""
        self._tell("addCredential", authenticatorId=self.id, credential={**passkey, **changes})

    def clear(self):
        """Forgets all passkeys."""
        self._tell("clearCredentials", authenticatorId=self.id)

    def remove(self):
        """Takes the authenticator away."""
        self._tell("removeVirtualAuthenticator", authenticatorId=self.id)

    def _tell(self, command, **parameters):
        return self.browser.driver.execute_cdp_cmd(f"WebAuthn.{command}", parameters)


def without_offers(browser):
    """Lets pages that are opened from now on find no conditional mediation, which a virtual authenticator answers by itself."""
    script = browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": NO_OFFER})["identifier"]
    return lambda: browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})
