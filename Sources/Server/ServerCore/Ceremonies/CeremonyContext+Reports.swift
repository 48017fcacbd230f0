import BackendAPI
import Logging
import RelyingParty
import UAF

extension CeremonyContext {
    /// Ends the ceremony of an operation that ended on the phone, by the error report that came in place of assertions.
    ///
    /// Returns when the message has assertions after all, which are then judged like any other. Otherwise it throws: the
    /// status of the check that failed, with nothing consumed, or 1498 once the ending is durable.
    func end(
        _ kind: CeremonyKind, in response: SendUAFResponse, _ report: DeviceReport
    ) async throws(ServerError) {
        let verification = ReportVerification(of: kind.ruleOperation, settings: relyingParty(acceptance.current))
        let ended = try addressed(from: report.client) { () throws(RelyingPartyError) in
            try verification.received(Array(response.uafResponse.utf8))
        }
        guard let ended else { return }
        let ceremony = try await open(ended.header.serverData, as: kind, reported: report)
        try addressed(from: report.client) { () throws(RelyingPartyError) in
            try verification.require(
                ended, answers: ceremony.sentRequest(under: ceremony.policy ?? Policy(accepted: [])))
        }
        try await commit(
            ceremony.refusal(
                .unacceptableContent, reason: report.context.failureReason, ceremony.state.failureKind))
        throw .refused(.unacceptableContent)
    }
}

extension ResponseContext {
    /// Whether the operation ended on the device; a success names its codes too.
    var isFailure: Bool { asmStatus ?? .ok != .ok || clientErrorCode ?? .noError != .noError }

    /// The codes of the device in the words of the audit.
    fileprivate var failureReason: String { "device: asmStatusCode \(asmCode), clientErrorCode \(clientCode)" }

    private var asmCode: String { asmStatus.map { "\($0.rawValue)" } ?? "-" }

    private var clientCode: String { clientErrorCode.map { "\($0.rawValue)" } ?? "-" }
}

extension CeremonyKind {
    fileprivate var ruleOperation: Rule.Operation {
        switch self {
        case .registration: .registration
        case .authentication: .authentication
        }
    }
}
