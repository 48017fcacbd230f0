package import UAF

/// The end that an answer of the phone brings to an operation; written in the transaction of the answer.
package struct OperationEnding: Sendable, Hashable {
    /// The operation.
    package let id: CeremonyID
    /// What it is for.
    package let operation: Operation
    /// The digits that the person has typed.
    package var digits: String?
    /// The code of the authenticator, when the phone gave up.
    package var asmStatus: ASMStatus?
    /// The code of the client, when the phone gave up.
    package var clientErrorCode: ClientErrorCode?
    /// Whether the person says that somebody else began it.
    package var isReported = false
    /// Who caused the end.
    package var proof = EventProof.unsigned
    /// The user who answered; nil while that is unknown.
    package var userID: UserID?
    /// What was registered or has signed, when the answer holds.
    package var credentials: [ProvedCredential] = []
    /// The hash of the transaction that was confirmed, when the answer holds; nil when there was none.
    package var transaction: TransactionHash?

    /// Ends the operation of this name; the rest is set afterwards.
    package init(id: CeremonyID, operation: Operation) {
        self.id = id
        self.operation = operation
    }
}
