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
