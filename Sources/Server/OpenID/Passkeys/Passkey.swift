package import BackendAPI
package import ServerCore
package import StrictJSON
package import WebAuthn

/// Passkey of a user (Web Authentication Level 3, section 4, credential record).
package struct Passkey: Sendable, Hashable {
    /// Our own identifier: a login by the passkey names it as its evidence, and ends with it.
    package let id: RegistrationID
    package let userID: UserID
    package var record: PasskeyRecord
    package let attestation: VerifiedPasskey.Attestation
    /// Name that the user gives it.
    package var name: DeviceName
    package let registeredAt: Timestamp
    /// Time of the last sign-in; nil before the first.
    package var usedAt: Timestamp?

    package init(
        id: RegistrationID, userID: UserID, record: PasskeyRecord, attestation: VerifiedPasskey.Attestation,
        name: DeviceName, registeredAt: Timestamp, usedAt: Timestamp? = nil
    ) {
        self.id = id
        self.userID = userID
        self.record = record
        self.attestation = attestation
        self.name = name
        self.registeredAt = registeredAt
        self.usedAt = usedAt
    }

    package var assurance: Assurance { record.isBackupEligible == false ? .passkey : .syncedPasskey }

    /// Members of answers about it: whether its holder may copy it, and the model (AAGUID) with what proves that.
    package var facts: JSONObject {
        [
            "synced": .bool(record.isBackupEligible != false), "model": .string(record.model.description),
            "attestation": .string(attestation.rawValue),
        ]
    }

    package var signCounter: UInt32 { record.state.signCounter }
}
