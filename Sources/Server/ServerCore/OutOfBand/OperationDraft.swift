import BackendAPI
import UAF

/// An operation in the making, with the token that goes out and the digits to show.
struct OperationDraft {
    let id: CeremonyID
    let token: RedeemToken
    let operation: OperationKind
    let asked: AskedOperation
    let createdAt: Timestamp
    let expiresAt: Timestamp
    var target: DispatchTarget?
    var digits: LinkingDigits?
    var attributes = PayloadAttributes.none
    var session: InitiatorSessionHash?

    init(_ asked: AskedOperation, operation: OperationKind, in context: CeremonyContext) {
        id = CeremonyID(from: context.ports.random)
        token = RedeemToken(from: context.ports.random)
        self.operation = operation
        self.asked = asked
        createdAt = context.ports.clock.now()
        expiresAt = createdAt + context.settings.outOfBand.tokenLifetime(operation)
    }

    /// Content of the payload.
    func content(redeemURL: String) -> OutOfBandContent {
        OutOfBandContent(
            token: token.text, redeemURL: redeemURL, channelLinking: digits?.demand, attributes: attributes)
    }

    /// The row to write.
    func row(
        dispatch: OutOfBandCeremony.Dispatch?, sealedContent: [UInt8], isPush: Bool = false
    ) -> OutOfBandCeremony {
        var row = OutOfBandCeremony(
            id: id, operation: operation, userID: asked.user?.id, targetID: target?.id, initiator: asked.initiator,
            tokenHash: token.hash, asked: asked.context, link: digits?.link, dispatch: dispatch,
            sealedContent: sealedContent, createdAt: createdAt,
            progress: CeremonyProgress(tokenCreatedAt: createdAt, expiresAt: expiresAt), evidence: asked.evidence)
        row.isPush = isPush
        row.isSealed = target?.encryptionKey != nil
        row.session = session
        return row
    }
}
