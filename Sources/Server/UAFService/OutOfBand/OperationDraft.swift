import BackendAPI
import ServerCore
import UAF

/// A ceremony in the making, with the token that goes out and the digits to show.
struct OperationDraft {
    var id: CeremonyID
    let token: RedeemableToken
    let operation: OperationKind
    let admitted: AdmittedOperation
    let createdAt: Timestamp
    let expiresAt: Timestamp
    var target: DispatchTarget?
    var digits: LinkingDigits?
    var attributes = PayloadAttributes.none
    var session: InitiatorSessionHash?
    var signIn: AuditEvent.SignInChannel?

    init(
        _ admitted: AdmittedOperation, operation: OperationKind, at now: Timestamp, lifetime: Duration,
        random: any RandomSource
    ) {
        id = CeremonyID(from: random)
        token = RedeemableToken(from: random)
        self.operation = operation
        self.admitted = admitted
        createdAt = now
        expiresAt = now + lifetime
    }

    func content(redeemURL: String) -> OutOfBandContent {
        OutOfBandContent(
            token: token.text, redeemURL: redeemURL, channelLinking: digits?.demand, attributes: attributes)
    }

    func row(
        dispatch: OutOfBandCeremony.Dispatch?, sealedContent: [UInt8], isPush: Bool = false
    ) -> OutOfBandCeremony {
        var row = OutOfBandCeremony(
            id: id, operation: operation, userID: admitted.user?.id, targetID: target?.id,
            initiator: admitted.initiator,
            tokenHash: token.hash, requestContext: admitted.requestContext, link: digits?.link, dispatch: dispatch,
            sealedContent: sealedContent, createdAt: createdAt,
            progress: CeremonyProgress(tokenCreatedAt: createdAt, expiresAt: expiresAt), evidence: admitted.evidence)
        row.isByStranger = admitted.isByStranger
        row.isPush = isPush
        row.isSealed = target?.encryptionKey != nil
        row.session = session
        row.signIn = signIn
        return row
    }
}
