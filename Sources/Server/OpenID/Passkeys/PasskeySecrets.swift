import Crypto
import Octets
import ServerCore
import WebAuthn

/// Values that sign-ins with passkeys derive from the key of the server that is never renewed, so that no row keeps them.
struct PasskeySecrets: Sendable {
    let keys: KeyService

    /// Challenge of a session in its browser, for any passkey or for the passkeys of one user: 32 octets.
    ///
    /// It lives as long as the session, which a success finishes.
    func challenge(of session: AuthorizationSession, for user: UserID?) throws(ServerError) -> [UInt8] {
        try derived("challenge", session.id.octets + session.browser.octets + (user?.octets ?? []))
    }

    /// Credential of a name that has none, of a size and with ways that authenticators have; the same at each request.
    func decoy(of name: String) throws(ServerError) -> CredentialDescriptor {
        let octets = try derived("credential", Array(name.utf8)) + derived("credential, end", Array(name.utf8))
        let forms = [
            (16, ["hybrid", "internal"]), (20, ["hybrid", "internal"]), (32, ["internal"]), (64, ["nfc", "usb"]),
        ]
        let (count, transports) = try forms[Int(derived("form", Array(name.utf8))[0]) % forms.count]
        return CredentialDescriptor(id: Array(octets.prefix(count)), transports: transports)
    }

    private func derived(_ label: String, _ octets: [UInt8]) throws(ServerError) -> [UInt8] {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: try keys.current(.decoy).material, info: Array("signet passkey \(label)".utf8),
            outputByteCount: 32)
        return Array(HMAC<SHA256>.authenticationCode(for: octets, using: key))
    }
}
