package import BackendAPI
package import ServerCore
import WebAuthn

/// Passkey that another server has registered, as an operator brings it along; its key was read as one.
package struct ImportedPasskey: Sendable {
    package let credential: [UInt8]
    package let key: [UInt8]
    private let make: @Sendable (UserID) -> Passkey

    /// Nil for octets that are no key (COSE_Key) of an algorithm of this server, and a model that is no AAGUID.
    ///
    /// `handle` is the user handle that the other server gave; nil: the identity of the user here. Nothing is known of
    /// copies of the key before its first sign-in, and its model is a claim.
    package init?(
        _ id: RegistrationID, credential: [UInt8], transports: [String], key octets: [UInt8], model: String,
        signCounter: UInt32, handle: [UInt8]?, name: DeviceName, registeredAt: Timestamp
    ) {
        guard (1...1_023).contains(credential.count), handle.map({ (1...64).contains($0.count) }) ?? true,
            let key = try? CredentialKey(octets: octets), let model = AAGUID(model)
        else { return nil }
        (self.credential, self.key) = (credential, octets)
        make = { user in
            Passkey(
                id: id, userID: user,
                record: PasskeyRecord(
                    descriptor: CredentialDescriptor(id: credential, transports: transports),
                    user: handle ?? user.octets, key: key, model: model, isBackupEligible: nil, wasUserVerified: true,
                    state: PasskeyRecord.State(signCounter: signCounter, isBackedUp: false)),
                attestation: .none, name: name, registeredAt: registeredAt)
        }
    }

    package func passkey(of user: UserID) -> Passkey { make(user) }
}

extension Passkey {
    /// Whether an import would bring the same passkey.
    package func isSame(as imported: ImportedPasskey, of user: UserID) -> Bool {
        userID == user && record.key.octets == imported.key
    }
}
