/// Result of a question to the user.
package enum UserAnswer<Value: Sendable>: Sendable {
    case given(Value)
    case canceled
    /// Canceled, and the user says that they did not begin the operation.
    case denied
    case timedOut

    /// The answer; throws what the operation ends with.
    func required() throws(CeremonyFailure) -> Value {
        switch self {
        case .given(let value): value
        case .canceled: throw .canceled
        case .denied: throw .denied
        case .timedOut: throw .fido(.userNotResponsive)
        }
    }
}

/// Consent with which an authenticator makes or uses a key.
package enum UserConsent: Sendable {
    /// The secret that the SDK checks: a PIN or a password.
    case secret(SecretBytes)
    /// The user is verified by the operating system.
    case presence(PresenceRequest)
}
