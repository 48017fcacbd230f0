package import UAF

/// Ties the report of an operation that ended on the device to the request it is about.
///
/// A report grants nothing, but it ends a ceremony. So checks 1 to 8 hold for it as for an answer, and a refusal of any
/// of them consumes nothing, or anybody could end other people's ceremonies.
package struct ReportVerification: Sendable {
    private let operation: Rule.Operation
    private let settings: RelyingPartySettings

    /// Judges reports of `operation` by `settings`.
    package init(of operation: Rule.Operation, settings: RelyingPartySettings) {
        self.operation = operation
        self.settings = settings
    }

    /// Reads a report (checks 1, 2 and 4); nil when the message has assertions or is none at all.
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

    /// Checks 3 and 5 to 8; whether the challenge is still open, the transaction that consumes it finds out.
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
    /// The operation as the header of its messages names it.
    fileprivate var header: Operation {
        switch self {
        case .registration: .registration
        case .authentication: .authentication
        }
    }
}
