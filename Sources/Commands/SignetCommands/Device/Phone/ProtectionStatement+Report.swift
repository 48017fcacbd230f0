import HardwareKeys
import StrictJSON

extension ProtectionStatement {
    /// The statement for people.
    var lines: [String] {
        [
            "wrong PINs counted by: \(attemptCounting.rawValue)", "user's presence checked by: \(userGate.rawValue)",
            "older copies of files noticed by: \(rollbackDetection.rawValue)", text,
        ]
    }

    /// The statement for programs.
    var json: JSONObject {
        JSONObject([
            "isSecureHardware": .bool(provider.isSecureHardware),
            "attemptCounting": .string(attemptCounting.rawValue), "userGate": .string(userGate.rawValue),
            "rollbackDetection": .string(rollbackDetection.rawValue), "text": .string(text),
        ])
    }
}
