import RelyingParty
import ServerCore
import UAF

/// Maker of the evidence that the receipt of an out-of-band authentication is made of.
///
/// The text stands in the request of the ceremony. In band only the system that asked has it: the sealed state holds
/// the hash, so there is no receipt.
struct ConfirmationEvidence: Sendable {
    /// Longest `fcParams` that is kept, in octets.
    private static let finalChallengeLimit = 2_048

    /// Whether receipts are switched on.
    let isEnabled: Bool
    let wall: any WallClock

    func evidence(
        of verified: VerifiedAuthentication, by user: User, in ceremony: OpenCeremony,
        received: ReceivedAuthentication, among credentials: [RegisteredCredential]
    ) -> ReceiptEvidence? {
        guard isEnabled, let operation = ceremony.operation, let use = verified.uses.first,
            let sent = received.evidence(at: use.assertion),
            sent.assertion.count <= ReceiptEvidence.assertionLimit,
            sent.finalChallenge.count <= Self.finalChallengeLimit,
            let credential = credentials.first(where: { $0.id == use.id })
        else { return nil }
        var text: [UInt8]?
        if let octets = verified.confirmedTransaction {
            guard let found = TransactionHash(stored: octets).flatMap(operation.text) else { return nil }
            text = Array(found.utf8)
        }
        return ReceiptEvidence(
            id: ceremony.state.id, user: user, initiator: operation.initiator, text: text, credential: credential,
            assertion: sent.assertion, finalChallenge: sent.finalChallenge, confirmedAt: wall.now())
    }
}
