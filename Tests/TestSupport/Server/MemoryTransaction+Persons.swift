import OpenID
package import ServerCore

/// What is kept of one person; no names of removed users, and no key of a person, are kept here.
extension MemoryTransaction {
    package func forgetNames(removedBefore time: Timestamp, limit: Int) -> Int { 0 }

    package func subject(_ id: UserID) -> AuditSubject? { user(id)?.auditKey.map { .key($0) } }

    package func receipts(of user: UserID) -> [StoredReceipt] {
        state.backchannel.receipts.values.filter { $0.userID == user }.sorted { $0.confirmedAt < $1.confirmedAt }
    }

    package func sessions(of user: UserID) -> [Session] { state.sessions.filter { $0.userID == user } }

    package func erase(_ id: UserID, at time: Timestamp) {
        state.users.removeAll { $0.id == id }
        state.sessions.removeAll { $0.userID == id }
    }

    package func removeDocuments(where isDoomed: (_ json: [UInt8]) -> Bool) {
        state.messages.removeAll { isDoomed($0.content) }
    }
}
