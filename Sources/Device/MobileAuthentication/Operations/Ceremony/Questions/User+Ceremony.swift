/// How a question to the user ended.
package enum UserAnswer<Value: Sendable>: Sendable {
    case given(Value)
    case canceled
    /// Canceled, and the user says that the operation is not his.
    case denied
    case timedOut

    /// The answer, or what the operation ends with.
    func required() throws(CeremonyFailure) -> Value {
        switch self {
        case .given(let value): value
        case .canceled: throw .canceled
        case .denied: throw .denied
        case .timedOut: throw .fido(.userNotResponsive)
        }
    }
}

/// What lets an authenticator make or use a key.
package enum UserConsent: Sendable {
    /// The secret that the SDK checks: a PIN or a password.
    case secret(SecretBytes)
    /// The user shows the operating system that he is there.
    case presence(PresenceRequest)
}
