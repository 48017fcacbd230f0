/// How a question to the user ended.
package enum UserAnswer<Value: Sendable>: Sendable {
    case given(Value)
    case canceled
    case timedOut

    /// The answer, or what the operation ends with.
    func required() throws(CeremonyFailure) -> Value {
        switch self {
        case .given(let value): value
        case .canceled: throw .canceled
        case .timedOut: throw .fido(.userNotResponsive)
        }
    }
}
