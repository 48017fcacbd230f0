import Metrics

/// Counts what became of answers of passkeys; results are words from fixed lists, for refusals as in the audit.
enum PasskeyMetrics: String {
    case registration
    case signIn = "sign-in"

    static let accepted = "accepted"

    func count(_ result: String) {
        Counter(
            label: "signet_passkey_answers_total", dimensions: [("operation", rawValue), ("result", result)]
        ).increment()
    }
}
