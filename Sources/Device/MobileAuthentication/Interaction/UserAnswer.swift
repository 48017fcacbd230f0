import Synchronization

/// How a question to the user ended.
package enum UserAnswer<Value: Sendable>: Sendable {
    case given(Value)
    case canceled
    case timedOut
}
