package import OpenID
package import ServerCore
import Synchronization

/// Storage in memory that runs bodies one after the other; of a body that fails nothing remains.
package final class MemoryTransactionRunner: ServerTransactionRunner, OpenIDTransactionRunner {
    private let state = Mutex(MemoryTransaction.State())

    /// An empty storage.
    package init() {}

    /// Everything that is kept.
    package var kept: MemoryTransaction.State { state.withLock { $0 } }

    /// Changes what is kept, as an administrator would.
    package func change(_ body: (inout MemoryTransaction.State) -> Void) {
        state.withLock { kept in
            var changed = kept
            body(&changed)
            kept = changed
        }
    }

    package func transaction<Value: Sendable>(
        _ body: @escaping ServerTransactionBody<Value>
    ) async throws(ServerError) -> Value {
        try write(body)
    }

    package func transaction<Value: Sendable>(
        _ body: @escaping OpenIDTransactionBody<Value>
    ) async throws(ServerError) -> Value {
        try write(body)
    }

    package func read<Value: Sendable>(_ body: @escaping ServerSnapshotBody<Value>) async throws(ServerError) -> Value {
        try readKept(body)
    }

    package func read<Value: Sendable>(_ body: @escaping OpenIDSnapshotBody<Value>) async throws(ServerError) -> Value {
        try readKept(body)
    }

    private func write<Value: Sendable>(
        _ body: (MemoryTransaction) throws(ServerTransactionFailure) -> Value
    ) throws(ServerError) -> Value {
        do throws(ServerTransactionFailure) {
            return try state.withLock { kept throws(ServerTransactionFailure) -> Value in
                let transaction = MemoryTransaction(kept)
                let value = try body(transaction)
                kept = transaction.state
                return value
            }
        } catch {
            throw .storageUnavailable
        }
    }

    private func readKept<Value>(
        _ body: (MemoryTransaction) throws(ServerTransactionFailure) -> Value
    ) throws(ServerError) -> Value {
        let kept = kept
        do throws(ServerTransactionFailure) {
            return try body(MemoryTransaction(kept))
        } catch {
            throw .storageUnavailable
        }
    }
}
