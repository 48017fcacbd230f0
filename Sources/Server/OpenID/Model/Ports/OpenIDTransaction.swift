package import ServerCore

/// One consistent state of the storage, for reading, with the rows of the OpenID Provider.
package protocol OpenIDSnapshot: ServerSnapshot, AuthorizationSnapshot, BackchannelSnapshot, OutgoingSnapshot,
    HistorySnapshot, PersonSnapshot, RecoverySnapshot, PasskeySnapshot
{}

/// One transaction of the storage with the rows of the OpenID Provider: clients, grants, CIBA, outgoing messages, history.
///
/// The contract is the one of ``ServerTransaction``.
package protocol OpenIDTransaction: ServerTransaction, OpenIDSnapshot, AuthorizationRows, BackchannelRows, OutgoingRows,
    HistoryRows, PersonRows, RecoveryRows, PasskeyRows
{}

/// Port that runs transactions with the rows of the OpenID Provider.
package protocol OpenIDTransactionRunner: Sendable {
    /// Runs `body` in a transaction, which is durable when this returns.
    ///
    /// Throws ``ServerError/storageUnavailable`` and ``ServerError/overloaded(retryAfter:)``.
    func transaction<Value: Sendable>(
        _ body: @escaping OpenIDTransactionBody<Value>
    ) async throws(ServerError) -> Value

    /// Runs `body` on one consistent state of the storage.
    ///
    /// Throws ``ServerError/storageUnavailable`` and ``ServerError/overloaded(retryAfter:)``.
    func read<Value: Sendable>(_ body: @escaping OpenIDSnapshotBody<Value>) async throws(ServerError) -> Value
}

extension OpenIDTransactionRunner {
    /// Runs a transaction; throws ``OpenIDRefusal/Code/temporarilyUnavailable``.
    func transactionOrRefusal<Value: Sendable>(
        _ body: @escaping OpenIDTransactionBody<Value>
    ) async throws(OpenIDRefusal) -> Value {
        do throws(ServerError) {
            return try await transaction(body)
        } catch {
            throw OpenIDRefusal(error)
        }
    }

    /// Reads; throws ``OpenIDRefusal/Code/temporarilyUnavailable``.
    func readOrRefusal<Value: Sendable>(
        _ body: @escaping OpenIDSnapshotBody<Value>
    ) async throws(OpenIDRefusal) -> Value {
        do throws(ServerError) {
            return try await read(body)
        } catch {
            throw OpenIDRefusal(error)
        }
    }
}

/// Body of a transaction with the rows of the OpenID Provider: on any thread, perhaps more than once.
package typealias OpenIDTransactionBody<Value> =
    @Sendable (any OpenIDTransaction) throws(ServerTransactionFailure) -> Value

/// Body that reads with the rows of the OpenID Provider: on any thread, and without keeping what it is given.
package typealias OpenIDSnapshotBody<Value> =
    @Sendable (any OpenIDSnapshot) throws(ServerTransactionFailure) -> Value
