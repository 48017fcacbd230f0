import UAF

/// Check 20 of authentication: the stored key has signed the signed data as received.
enum SignatureCheck {
    static func require(_ assertion: AuthenticationAssertion, key: VerificationKey) throws(RefusalReason) {
        do throws(SignatureRefusal) {
            try key.requireSignature(assertion.signature[...], over: assertion.signedData.octets[...])
        } catch {
            throw .signature(error)
        }
    }
}
