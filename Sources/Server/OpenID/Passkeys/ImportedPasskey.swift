package import BackendAPI
package import ServerCore
import WebAuthn

/// Passkey that another server has registered, as an operator brings it along; its key was read as one.
package struct ImportedPasskey: Sendable {
    package let credential: [UInt8]
    package let key: [UInt8]
    private let make: @Sendable (UserID) -> Passkey

    /// Record of the other server.
    package struct Record: Sendable {
        /// Credential ID, 1 to 1,023 octets.
        package let credential: [UInt8]
        /// Public key as COSE_Key.
        package let key: [UInt8]
        /// AAGUID as text; a claim.
        package let model: String
        package let signCounter: UInt32
        package let transports: [String]
        /// User handle that the other server gave, 1 to 64 octets; nil: the identity of the user here.
        package let handle: [UInt8]?

        package init(
            credential: [UInt8], key: [UInt8], model: String, signCounter: UInt32, transports: [String],
            handle: [UInt8]?
        ) {
            (self.credential, self.key, self.model) = (credential, key, model)
            (self.signCounter, self.transports, self.handle) = (signCounter, transports, handle)
        }
    }

    /// Nil for octets that are no key (COSE_Key) of an algorithm of this server, and a model that is no AAGUID.
    ///
    /// Nothing is known of copies of the key before its first sign-in.
    package init?(_ id: RegistrationID, _ imported: Record, name: DeviceName, registeredAt: Timestamp) {
        let (credential, handle) = (imported.credential, imported.handle)
        guard (1...1_023).contains(credential.count), handle.map({ (1...64).contains($0.count) }) ?? true,
            let key = try? CredentialKey(octets: imported.key), let model = AAGUID(imported.model)
        else { return nil }
        (self.credential, self.key) = (credential, imported.key)
        make = { user in
            Passkey(
                id: id, userID: user,
                record: PasskeyRecord(
                    descriptor: CredentialDescriptor(id: credential, transports: imported.transports),
                    user: handle ?? user.octets, key: key, model: model, isBackupEligible: nil, wasUserVerified: true,
                    state: PasskeyRecord.State(signCounter: imported.signCounter, isBackedUp: false)),
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
