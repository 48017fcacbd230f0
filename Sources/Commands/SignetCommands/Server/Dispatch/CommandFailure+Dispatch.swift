import BackendAPI
import UAF

extension CommandFailure {
    /// Why nothing was dispatched; `configured` are the dispatchers that there are.
    init(dispatchResult result: DispatchResult, configured: [DispatcherName]) {
        let message =
            switch result {
            case .dispatchError: "the dispatcher did not take it, or the target lacks what it needs"
            case .dispatchTargetExpired: "the phone has no push destination that the push service knows"
            case .dispatchTargetNotFound: "there is no such dispatch target, or it is another user's"
            case .dispatcherNotFound: Self.dispatcherAdvice(configured)
            case .userNotFound: "there is no such user"
            default: "nothing was dispatched: \(result.rawValue)"
            }
        self = .refused(result.rawValue, message)
    }

    private static func dispatcherAdvice(_ configured: [DispatcherName]) -> String {
        let names = configured.map(\.rawValue).joined(separator: ", ")
        return names.isEmpty
            ? "no dispatcher is configured: add one under fido-uaf.dispatchers, for example { type: png-qr-code }"
            : "no such dispatcher is configured; choose one of these with --dispatcher: \(names)"
    }

    /// Why an operation whose end was waited for did not succeed; nil when it did.
    init?(endingOf status: SessionStatus, waited seconds: Int) {
        switch status.status {
        case .succeeded: return nil
        case .failed, .unknown: self = .refused("operationFailed", "it did not succeed: \(status.sentence)")
        default:
            self = .refused("operationPending", "it has not ended within \(seconds) s: \(status.sentence)")
            isRetryable = true
        }
        uafStatus = (status.outcome.uafStatus?.rawValue).map { Int($0) }
    }
}
