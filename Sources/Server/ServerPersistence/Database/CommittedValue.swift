import Synchronization

/// Carries the result of a member out of the transaction.
final class CommittedValue<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)

    /// What was stored; nil before.
    var value: Value? { stored.withLock { $0 } }

    func store(_ value: Value) {
        stored.withLock { $0 = value }
    }
}
