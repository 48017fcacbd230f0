import BackendAPI
package import OpenID
package import ServerCore

/// History that users see.
extension MemoryTransaction {
    package func history(of user: UserID) -> [HistoryEntry] {
        Self.newestFirst(state.history.filter { $0.userID == user })
    }

    package func names(
        target: DispatchTargetID?, ceremony: CeremonyID?
    ) -> (device: String?, initiator: Initiator?) {
        let operation = ceremony.flatMap { id in state.operations.first { $0.id == id } }
        let device = target ?? operation?.targetID
        return (state.targets.first { $0.id == device }?.name.text, operation?.initiator)
    }

    package func insert(_ entry: HistoryEntry) {
        guard user(entry.userID) != nil,
            !state.history.contains(where: { $0.chainID == entry.chainID && $0.sequence == entry.sequence })
        else { return }
        let kept = Self.newestFirst(state.history.filter { $0.userID == entry.userID } + [entry])
        state.history.removeAll { $0.userID == entry.userID }
        state.history += kept.prefix(HistoryEntry.limit)
    }

    private static func newestFirst(_ entries: [HistoryEntry]) -> [HistoryEntry] {
        entries.sorted { ($0.at, $0.chainID, $0.sequence) > ($1.at, $1.chainID, $1.sequence) }
    }
}
