package import LoadControl
package import OpenID
package import ServerCore

/// The ports of the services on a database.
package struct SQLStorage: Sendable {
    private let store: SQLStore

    /// The ports on `database`, whose tables are up to date (``Migrator``).
    ///
    /// `chainID` names the audit chain of this process and `actor` who runs it by hand; `load` bounds the queue of
    /// writes; `report` is told about each new failure of the database and `recovered` when all work succeeds again, for the
    /// log.
    package init(
        on database: any SQLDatabase, chainID: String, actor: AuditActor? = nil,
        load: LoadController = LoadController(),
        report: @escaping @Sendable (ServerPersistenceError) -> Void = { _ in },
        recovered: @escaping @Sendable () -> Void = {}
    ) {
        let news = StorageNews(report: report, recovered: recovered)
        store = SQLStore(
            database: database, reads: database.isBehindNetwork ? GroupRead(database, load: load) : nil,
            writes: GroupCommit(database, load: load),
            ownChain: AuditChain(id: chainID, actor: actor, key: AuditKeyHolder()), health: WriteHealth(news),
            news: news)
    }

    package var openID: any OpenIDTransactionRunner { SQLOpenIDTransactions(store: store) }

    package var ports: Storage {
        let transactions = SQLStoreTransactions(store: store)
        return Storage(
            transactions: transactions, users: SQLUserRepository(store: store),
            credentials: SQLCredentialRepository(store: store), policies: SQLPolicyRevisions(store: store),
            keys: SQLKeyStore(store: store), sessions: SQLSessionRepository(store: store),
            audit: SQLAuditLog(store: store), unitOfWork: transactions,
            targets: SQLDispatchTargetRepository(store: store), operations: SQLOperationRepository(store: store),
            clock: SQLClockStore(store: store), health: store.health, decoys: SQLDecoyStatistics(store: store),
            traces: SQLTraces(store: store))
    }
}
