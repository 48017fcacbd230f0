/// Time for which a transaction waits for a lock that another one holds, such as a row lock.
package enum SQLLockWait: Sendable, Hashable, CaseIterable {
    /// The time of the settings.
    case usual
    /// The time that another group takes for its commit, some 20 ms.
    case short
    /// Hardly any, a millisecond.
    case least
}

/// Lock by name on something that has no row yet, or that many rows belong to.
package struct SQLLock: Sendable, Hashable {
    /// Name of the lock, the same in every process.
    package let name: String
    /// Whether other holders may share it; a lock that is not shared waits for all of them.
    package let isShared: Bool

    private init(_ name: String, isShared: Bool = false) {
        self.name = name
        self.isShared = isShared
    }

    package static let schema = SQLLock("schema")
    /// The end of an audit chain.
    package static func chain(_ id: String) -> SQLLock { SQLLock("audit " + id) }
    /// Consumption of challenges, shared by all that consume; first of the locks of a transaction.
    package static let consumption = SQLLock("consumption", isShared: true)
    /// Consumption of challenges, for removing old ones, in a transaction that waits for nothing else.
    package static let forgetting = SQLLock("consumption")
    /// Names of users.
    static let names = SQLLock("names")
    static let clients = SQLLock("clients")
    static let keys = SQLLock("keys")
    static let clock = SQLLock("clock")
    static let mark = SQLLock("mark")
    static let decoys = SQLLock("decoys")
}
