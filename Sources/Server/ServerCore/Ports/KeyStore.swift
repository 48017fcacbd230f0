/// The keys of the server, wrapped.
package protocol KeyStore: Sendable {
    /// All keys of all purposes.
    func keys() async throws(ServerError) -> [WrappedKey]

    /// Adds keys and a record of it.
    func add(_ keys: [WrappedKey], event: AuditEvent) async throws(ServerError)

    /// Adds `key` unless there is one of its purpose already; for processes that start together.
    func addFirst(_ key: WrappedKey) async throws(ServerError)

    /// Removes keys that open nothing any more.
    func remove(_ ids: [ServerKeyID]) async throws(ServerError)

    /// Removes all keys of the purposes of `keys`, adds these instead, and a record of it.
    ///
    /// With `time` server time begins anew there, and the watermark of the consumed challenges with it, all in one
    /// transaction: nothing that was sealed before opens any more.
    func replace(
        with keys: [WrappedKey], restarting time: ServerTimeRecord?, event: AuditEvent
    ) async throws(ServerError)
}
