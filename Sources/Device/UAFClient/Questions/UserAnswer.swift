import UAF

/// Result of a question to the user.
package enum UserAnswer<Value: Sendable>: Sendable {
    case given(Value)
    case canceled
    /// Canceled, and the user says that they did not begin the operation.
    case denied
    case timedOut

    package func required() throws(CeremonyFailure) -> Value {
        switch self {
        case .given(let value): value
        case .canceled: throw .canceled
        case .denied: throw .denied
        case .timedOut: throw .fido(.userNotResponsive)
        }
    }

    /// Failure with which an operation ends without the answer; nil for one that was given.
    package var refusal: CeremonyFailure? {
        do throws(CeremonyFailure) {
            _ = try required()
            return nil
        } catch {
            return error
        }
    }
}
