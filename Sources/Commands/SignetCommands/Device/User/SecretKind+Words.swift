import MobileAuthentication

extension SecretKind {
    /// The word in a sentence.
    var noun: String {
        switch self {
        case .pin: "PIN"
        case .password: "password"
        }
    }

    /// The word at the beginning of a question.
    var title: String {
        switch self {
        case .pin: "PIN"
        case .password: "Password"
        }
    }

    /// The word in the name of a failure.
    var code: String {
        switch self {
        case .pin: "Pin"
        case .password: "Password"
        }
    }
}
