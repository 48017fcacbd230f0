package import UAF

/// Verification of a report that an operation ended on the device, against the request it is about.
///
/// A report grants nothing, but it ends a ceremony. So message, addressing and challenge are checked as for a response,
/// and a refusal by any of these checks consumes nothing; otherwise attackers could end other people's ceremonies.
package struct ReportVerification: Sendable {
    private let operation: Rule.Operation
    private let settings: RelyingPartySettings

    package init(of operation: Rule.Operation, settings: RelyingPartySettings) {
        self.operation = operation
        self.settings = settings
    }

    /// Reads message, header and final challenge parameters of a report; nil when the message has assertions or is none
    /// at all.
    ///
    /// `message` is the JSON text of the UAF message, UTF-8.
    package func received(_ message: [UInt8]) throws(RelyingPartyError) -> EndedOperation? {
        guard let ended = try? EndedOperation(message: message, rules: settings.profile.decoding) else { return nil }
        do throws(RefusalReason) {
            try HeaderCheck.require(ended.header)
            guard ended.header.operation == operation.header else { throw .header }
        } catch {
            throw RelyingPartyError(error, operation: operation, stage: .addressing)
        }
        return ended
    }

    /// Requires the server data, appID, facet, channel binding and challenge of the request; whether the challenge is
    /// still open, the transaction that consumes it finds out.
    package func require(_ ended: EndedOperation, answers request: SentRequest) throws(RelyingPartyError) {
        do throws(RefusalReason) {
            try AddressCheck.require(
                ended.finalChallenge, ended.header, to: request, settings: settings)
            try ChallengeCheck.require(ended.finalChallenge.challenge, of: request, state: .fresh)
        } catch {
            throw RelyingPartyError(error, operation: operation, stage: .addressing)
        }
    }
}

extension Rule.Operation {
    fileprivate var header: OperationKind {
        switch self {
        case .registration: .registration
        case .authentication: .authentication
        }
    }
}
