import DeviceAttestation

/// Proof that came with the registration of a credential, or with a later use: which application holds its key.
package enum CredentialAttestation: Sendable, Hashable {
    /// The application with this key of App Attest, whose assertions go with the uses of the credential.
    case appleKey(AppAttestKeyID)
    /// The key of the credential is itself one that Android's key store vouches for.
    case androidKey
}

/// Record of an attested application, with the credentials that it has answered with.
struct RecordAttestation {
    let transaction: any ServerTransaction
    /// The record of the response that the statement came with.
    let event: AuditEvent

    /// Writes the key or moves its counter, and says of the credentials which application holds them.
    ///
    /// The counter is compared by the statement that writes it, so that of two responses with one assertion one is
    /// refused.
    func record(
        _ application: AttestedApplication, of credentials: [RegistrationID]
    ) throws(ServerTransactionFailure) -> CommitRefusal? {
        let attestation: CredentialAttestation
        switch application {
        case .newAppleKey(let key):
            guard let id = AppAttestKeyID(stored: key.keyID), try transaction.insert(key, at: event.at) else {
                return .attestedKeyExists
            }
            try transaction.append(attested)
            attestation = .appleKey(id)
        case .appleKey(let id, let counter):
            guard try transaction.raiseCounter(of: id, to: counter, at: event.at) else { return .assertionReplayed }
            attestation = .appleKey(id)
        case .androidKey:
            try transaction.append(attested)
            attestation = .androidKey
        }
        for credential in credentials { try transaction.set(attestation, of: credential) }
        return nil
    }

    private var attested: AuditEvent {
        var attested = event
        attested.kind = .appAttested
        return attested
    }
}
