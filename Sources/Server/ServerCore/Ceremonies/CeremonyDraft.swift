import BackendAPI
import StrictJSON
import UAF

/// A request in the making: what it is for, before it gets a challenge.
struct CeremonyDraft {
    let kind: CeremonyKind
    let userID: UserID?
    let policy: NamedPolicy
    var transactions: [TransactionHash] = []
    var cookieHash: CookieHash?
    /// The out-of-band operation that the request belongs to; nil for an in-band request.
    var operationID: CeremonyID?
    /// The login on the strength of which the request is made; nil when it needs none.
    var evidence: RequestAuthorization.Evidence?

    /// Draws a challenge and seals the state; nothing is stored.
    func issued(by context: CeremonyContext) throws(ServerError) -> (OperationHeader, ServerChallenge) {
        precondition(transactions.count <= CeremonyState.transactionLimit, "a request has at most four renderings")
        guard let challenge = ServerChallenge(context.ports.random.bytes(count: 32)) else {
            preconditionFailure("a challenge may have 32 bytes")
        }
        let now = context.ports.clock.now()
        let state = CeremonyState(
            kind: kind, id: operationID ?? CeremonyID(from: context.ports.random), challenge: challenge, userID: userID,
            policyName: policy.name, policyHash: policy.revision.hash, appID: context.settings.uaf.appID,
            issuedAt: now, expiresAt: now + context.settings.uaf.responseLifetime, transactions: transactions,
            cookieHash: cookieHash, isOutOfBand: operationID != nil, evidence: evidence)
        let header = OperationHeader(
            operation: kind.operation, appID: state.appID, serverData: try context.seal.seal(state))
        return (header, challenge)
    }

    /// The message with the time that is left to answer it.
    func message(_ text: String, by context: CeremonyContext) -> ReturnUAFRequest {
        ReturnUAFRequest(
            uafRequest: text, operation: kind.operation,
            lifetimeMillis: context.settings.uaf.responseLifetime.wholeMilliseconds)
    }
}

extension UAFSettings {
    /// Throws status 1400 for a content that is no text, empty or too long, or holds characters that could show
    /// something else than what is signed.
    func requireAcceptable(_ transaction: Transaction) throws(ServerError) {
        guard transaction.contentType == .plainText, !transaction.content.isEmpty,
            transaction.content.count <= transactionMaximumByteCount,
            let text = String(validating: transaction.content, as: UTF8.self),
            !text.unicodeScalars.contains(where: Self.isTreacherous)
        else { throw .refused(.badRequest) }
    }

    /// Control characters other than line breaks, and everything that changes the direction of writing.
    private static func isTreacherous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x0D: false
        case 0x00..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension OperationRequest {
    /// The message as it is embedded in the response of a request service.
    var text: String { String(decoding: message, as: UTF8.self) }
}
