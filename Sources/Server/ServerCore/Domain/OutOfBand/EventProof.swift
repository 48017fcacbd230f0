/// Proof of who caused an event, by which counters decide whom it counts against.
package enum EventProof: Sendable, Hashable {
    /// Signed by a key that the user has registered.
    case userKey(RegistrationID)
    /// Answered from a payload that was sealed for the device, which alone can open it.
    case device(DispatchTargetID)
    /// Sent by a system with its access key.
    case portal(AccessKeyName)
    /// Proved by nothing: any holder of a link or a code can cause it.
    case unsigned

    /// Whether an incident counts against the user it is about.
    ///
    /// A push counts, with or without proof of its initiator, for the count only spares the user further pushes.
    /// Everything else needs the user's key or device: what a stranger could cause would let strangers lock users out
    /// (docs/security/threat-model.md).
    package func counts(as incident: UserIncident) -> Bool {
        switch (incident, self) {
        case (.push, _), (.strangersPush, _), (_, .userKey), (_, .device): true
        case (_, .portal), (_, .unsigned): false
        }
    }

    package var text: String {
        switch self {
        case .userKey: "signed by the user's key"
        case .device: "by the device"
        case .portal(let name): "by key:\(name.text)"
        case .unsigned: "unsigned"
        }
    }
}

extension Initiator {
    package var proof: EventProof {
        switch self {
        case .accessKey(let name): .portal(name)
        case .anonymous, .client, .user, .administrator: .unsigned
        }
    }
}

extension ServerTransaction {
    /// Notes an incident, if its proof suffices to count it against the user.
    package func note(
        _ incident: UserIncident, for user: UserID, by proof: EventProof, at time: Timestamp
    ) throws(ServerTransactionFailure) {
        guard proof.counts(as: incident) else { return }
        try note(incident, for: user, at: time)
    }
}
