import OpenID
import ServerCore

/// Outgoing messages, and the places of the subscribers of the audit.
extension SQLTransaction {
    /// Goes from receiver to receiver by an index: however many messages wait, a few of each are looked at.
    func dueReceivers(at now: Timestamp) throws(ServerTransactionFailure) -> [DueReceiver] {
        var found: [DueReceiver] = []
        var last: (kind: String, name: String) = ("", "")
        while let receiver = try row(
            OutgoingMessageRow.receiverSelection, [.text(last.kind), .text(last.name)], as: OutgoingMessageRow.receiver)
        {
            let count = try dueCount(of: receiver, at: now)
            if count > 0 { found.append(DueReceiver(receiver, count: count)) }
            last = (receiver.kind.rawValue, receiver.name)
        }
        return found
    }

    private func dueCount(
        of receiver: OutgoingReceiver, at now: Timestamp
    ) throws(ServerTransactionFailure) -> Int {
        let selection = OutgoingMessageRow.timeSelection(ofOrdered: receiver.kind == .webhook)
        let times = try rows(
            selection,
            [.text(receiver.kind.rawValue), .text(receiver.name), .integer(Int64(DueReceiver.countLimit))],
            as: OutgoingMessageRow.time)
        return times.prefix { $0 <= now }.count
    }

    func dueMessages(
        of receiver: OutgoingReceiver, at now: Timestamp
    ) throws(ServerTransactionFailure) -> [OutgoingMessage] {
        let place: [SQLValue] = [.text(receiver.kind.rawValue), .text(receiver.name)]
        let length = SQLValue.integer(Int64(OutgoingMessage.queueLength))
        guard receiver.kind == .webhook else {
            return try rows(
                OutgoingMessageRow.selectionByTime, place + [.integer(now.milliseconds), length],
                as: OutgoingMessageRow.message)
        }
        let oldest = try rows(OutgoingMessageRow.selectionByAge, place + [length], as: OutgoingMessageRow.message)
        return Array(oldest.prefix { $0.nextAttemptAt <= now })
    }

    func messages(
        _ state: OutgoingMessage.State, limit: Int
    ) throws(ServerTransactionFailure) -> [OutgoingMessage] {
        try rows(
            OutgoingMessageRow.selectionByState, [.text(state.rawValue), .integer(Int64(limit))],
            as: OutgoingMessageRow.message)
    }

    func message(_ id: OutgoingMessageID) throws(ServerTransactionFailure) -> OutgoingMessage? {
        try row(OutgoingMessageRow.selectionByID + held, [.blob(id.octets)], as: OutgoingMessageRow.message)
    }

    func insert(_ message: OutgoingMessage) throws(ServerTransactionFailure) {
        try enqueue(OutgoingMessageRow.insertion, OutgoingMessageRow.arguments(message))
    }

    func update(_ message: OutgoingMessage, attempts known: Int) throws(ServerTransactionFailure) -> Bool {
        try execute(OutgoingMessageRow.update, OutgoingMessageRow.arguments(message, attempts: known)) == 1
    }

    func removeMessage(_ id: OutgoingMessageID) throws(ServerTransactionFailure) -> Bool {
        try execute("DELETE FROM outgoing_messages WHERE id = $1", [.blob(id.octets)]) == 1
    }

    func removeDeadMessages(madeBefore time: Timestamp, limit: Int) throws(ServerTransactionFailure) -> Int {
        try passed { () throws(ServerPersistenceError) in
            try OldestRows(table: "outgoing_messages", column: "created_at", condition: "state = 'dead'")
                .delete(before: time, limit: limit, connection)
        }
    }

    // MARK: - Places

    func subscribers() throws(ServerTransactionFailure) -> [String] {
        var names: [String] = []
        // One look-up for each subscriber: there are few, and each has a place in every chain.
        while true {
            let next = try rows(
                "SELECT subscriber FROM audit_places WHERE subscriber > $1 ORDER BY subscriber LIMIT 1",
                [.text(names.last ?? "")]
            ) { row throws(ServerPersistenceError) in
                var reader = RowReader(row, table: "audit_places")
                return try reader.text("subscriber")
            }
            guard let name = next.first else { return names }
            names.append(name)
        }
    }

    func removePlaces(of subscriber: String) throws(ServerTransactionFailure) -> Bool {
        try execute("DELETE FROM audit_places WHERE subscriber = $1", [.text(subscriber)]) > 0
    }

    func places(of subscriber: String) throws(ServerTransactionFailure) -> [String: Int64] {
        let places = try rows(
            "SELECT chain_id, sequence FROM audit_places WHERE subscriber = $1", [.text(subscriber)]
        ) { row throws(ServerPersistenceError) in
            var reader = RowReader(row, table: "audit_places")
            return (try reader.text("chain_id"), try reader.integer("sequence"))
        }
        return Dictionary(places) { first, _ in first }
    }

    func movePlace(
        of subscriber: String, in chain: String, from known: Int64?, to sequence: Int64
    ) throws(ServerTransactionFailure) -> Bool {
        guard let known else {
            return try execute(
                """
                INSERT INTO audit_places (subscriber, chain_id, sequence) VALUES ($1, $2, $3)
                ON CONFLICT (subscriber, chain_id) DO NOTHING
                """, [.text(subscriber), .text(chain), .integer(sequence)]) == 1
        }
        return try execute(
            "UPDATE audit_places SET sequence = $1 WHERE subscriber = $2 AND chain_id = $3 AND sequence = $4",
            [.integer(sequence), .text(subscriber), .text(chain), .integer(known)]) == 1
    }
}
