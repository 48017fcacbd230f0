"""Has py_webauthn judge the answers with passkeys that Signet has judged, and compares.

    compare.py FILE

FILE holds one answer a line with Signet's verdict, as SecondOpinionTests writes them. Prints how often both agree, and each
kind of disagreement with its number and its explanation. Exit code 1 when one has none.
"""

import base64
import collections
import json
import sys

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from webauthn import verify_authentication_response, verify_registration_response
from webauthn.helpers.cose import COSEAlgorithmIdentifier
from webauthn.helpers.structs import AttestationFormat

OFFERED = [COSEAlgorithmIdentifier(number) for number in (-7, -8, -49, -257)]

# Refusals of Signet for what py_webauthn does not look at, by the word of the refusal.
STRICTER = {
    "clientData": "py_webauthn takes client data in any spelling of JSON; the limited algorithm of section 5.8.1.2 takes one",
    "embedded": "py_webauthn does not read crossOrigin",
    "backupEligibility": "py_webauthn does not compare backup eligibility with the record (7.2 step 19)",
    "foreignCredentialID": "py_webauthn does not compare the identifier of the answer with the authenticator's",
    "publicKey": "py_webauthn does not look whether a point is on its curve before something is signed with it",
    "statement.syntax": "py_webauthn ignores members of a statement that its format does not have",
    "statement.certificateForm": "py_webauthn does not demand the form of section 8.2.1, and so takes android-key for packed",
    "certificatePath.malformed": "py_webauthn does not read a certificate that its path does not need",
}
# Refusals of py_webauthn for what the standard does not demand, by a part of its message.
LOOSER = {
    "Unrecognized TPM Manufacturer": "py_webauthn knows a list of manufacturers; the vectors name one that is not on it",
    "x5c was empty (Android Key)": "py_webauthn takes the last certificate of android-key for a root; the vector has one",
}


def octets(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def opinion(case):
    """The message of py_webauthn's refusal, or None when it accepts."""
    shared = {
        "credential": case["answer"],
        "expected_challenge": octets(case["challenge"]),
        "expected_rp_id": "example.org",
        "expected_origin": "https://example.org",
        "require_user_verification": case["verification"],
    }
    try:
        if "key" in case:
            verify_authentication_response(
                credential_public_key=octets(case["key"]), credential_current_sign_count=case["counter"], **shared)
        else:
            roots = [x509.load_der_x509_certificate(octets(root)).public_bytes(Encoding.PEM) for root in case["roots"]]
            verify_registration_response(
                supported_pub_key_algs=OFFERED,
                pem_root_certs_bytes_by_fmt={form: list(roots) for form in AttestationFormat}, **shared)
    except Exception as error:  # Its parsers let errors of others through.
        return f"{type(error).__name__}: {error}"
    return None


def explanation(verdict, message):
    if message is None:
        word = verdict.split(": ", 1)[1]
        return STRICTER.get(word)
    return next((text for part, text in LOOSER.items() if part in message), None)


def main():
    counts, agreed, unexplained = collections.Counter(), collections.Counter(), 0
    for number, line in enumerate(open(sys.argv[1], encoding="utf-8"), 1):
        case = json.loads(line)
        message = opinion(case)
        accepts = case["verdict"] == "accepted"
        if accepts == (message is None):
            agreed["accepted" if accepts else "refused"] += 1
            continue
        text = explanation(case["verdict"], message)
        unexplained += text is None
        counts[text or f"line {number}: Signet: {case['verdict']}; py_webauthn: {message or 'accepted'}"] += 1
    print(f"passkeys: both accept {agreed['accepted']} answers and refuse {agreed['refused']}")
    for text, count in counts.most_common():
        print(f"passkeys: {count} x {text}")
    return 1 if unexplained else 0


sys.exit(main())
