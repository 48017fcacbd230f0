package import OpenID
package import ServerCore

/// Writer of the history that users see: records of the audit become entries (subscriber `history`).
package struct HistorySubscriber: AuditSubscriber {
    private let transactions: any OpenIDTransactionRunner
    private let clients: any ClientRegistry

    package init(transactions: any OpenIDTransactionRunner, clients: any ClientRegistry) {
        self.transactions = transactions
        self.clients = clients
    }

    package var name: String { "history" }

    package var kinds: Set<AuditEvent.Kind> { Set(Self.entries.keys) }

    private static let entries: [AuditEvent.Kind: HistoryEntry.Kind] = [
        .signedIn: .signIn, .transactionSucceeded: .payment, .authenticationFailed: .denied,
        .transactionFailed: .denied, .weakerMethodRefused: .denied, .operationReported: .reported,
        .targetCreated: .deviceAdded,
        .targetDeleted: .deviceRemoved, .userLocked: .locked, .recoveryBegun: .recoveryBegun,
        .recoveryEnded: .recoveryEnded, .passkeyRegistered: .passkeyAdded, .passkeyRemoved: .passkeyRemoved,
        .passkeyRemovedByAdministrator: .passkeyRemoved,
    ]

    package func prepare(
        _ records: [AuditSubscriberRecord], random: any RandomSource, at now: Timestamp
    ) async throws(ServerError) -> AuditSubscriberEffect {
        let wanted = records.compactMap { record in
            Self.entries[record.kind].flatMap { kind in record.userID.map { (record: record, kind: kind, user: $0) } }
        }
        let names = try await transactions.read { snapshot throws(ServerTransactionFailure) in
            try wanted.map { entry throws(ServerTransactionFailure) in try Self.names(of: entry.record, in: snapshot) }
        }
        var entries: [HistoryEntry] = []
        for ((record, kind, user), (device, asked)) in zip(wanted, names) {
            // A passkey signs in without an operation.
            let initiator = asked ?? (record.kind == .signedIn ? record.initiator : nil)
            let client = try await client(of: initiator)
            entries.append(
                HistoryEntry(
                    userID: user, kind: kind, at: record.at,
                    client: client?.name ?? name(of: initiator), device: device,
                    chainID: record.chainID, sequence: record.sequence))
        }
        guard !entries.isEmpty else { return .nothing }
        let written = entries
        return AuditSubscriberEffect { transaction throws(ServerTransactionFailure) in
            for entry in written { try transaction.insert(entry) }
        }
    }

    private static func names(
        of record: AuditSubscriberRecord, in snapshot: any OpenIDSnapshot
    ) throws(ServerTransactionFailure) -> (device: String?, initiator: Initiator?) {
        guard record.target != nil || record.ceremony != nil else { return (nil, nil) }
        return try snapshot.names(target: record.target, ceremony: record.ceremony)
    }

    /// The client that has asked; nil for one that is gone, and for others.
    private func client(of initiator: Initiator?) async throws(ServerError) -> RegisteredClient? {
        guard case .client(let id)? = initiator else { return nil }
        return try await clients.client(id)
    }

    private func name(of initiator: Initiator?) -> String? {
        switch initiator {
        case .client(let id): id.text
        case .accessKey(let name): name.text
        case .anonymous, .user, .administrator, nil: nil
        }
    }
}
