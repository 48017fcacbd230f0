import ServerCore

/// Sign-ins that are written table by table, in a transaction that is alone.
///
/// A savepoint for each makes SQLite keep every page as it was before, and costs more than the rows that a sign-in
/// writes. Here there is none, because nothing has to be undone: a sign-in that is refused has written only the row of
/// its challenge, which is removed again. Its rule (``EndCeremony``) then runs like any other member's, and names the
/// obstacle.
struct SignInGroup {
    private let signIns: [SignIn]

    /// Takes sign-ins in the order in which they came.
    init(_ signIns: [SignIn]) {
        self.signIns = signIns
    }

    /// Writes the sign-ins whose preconditions hold, hands their records to `audit`, and returns for each whether it was
    /// written.
    ///
    /// Of two with one challenge the second is not written, whatever becomes of the first. After an error rows may stand
    /// there: the transaction has to be given up.
    func write(
        _ connection: any SQLConnection, _ audit: PendingAudit
    ) throws(ServerPersistenceError) -> [Bool] {
        let mark = try AnswerRow.watermark(connection)
        let known = signIns.indices.filter { mark <= signIns[$0].challengeExpiresAt }
        let consumed = try places(known, in: connection, changing: AnswerRow.insertion, \.answer)
        let used = try places(consumed, in: connection, changing: CredentialRow.use(connection.dialect), \.use)
        let written = Set(used)
        let refused = consumed.filter { !written.contains($0) }
        try connection.enqueue(AnswerRow.removal, each: refused.map { signIns[$0].key })
        try connection.enqueue(SessionRow.insertion, each: used.compactMap { signIns[$0].session })
        for place in used { audit.add(signIns[place].record) }
        return signIns.indices.map { written.contains($0) }
    }

    /// The places, among the given ones, for which a statement changes a row.
    private func places(
        _ places: [Int], in connection: any SQLConnection, changing sql: String, _ arguments: (SignIn) -> [SQLValue]
    ) throws(ServerPersistenceError) -> [Int] {
        let counts = try connection.execute(sql, each: places.map { arguments(signIns[$0]) })
        return zip(places, counts).filter { $0.1 == 1 }.map(\.0)
    }
}

extension SignIn {
    fileprivate var use: [SQLValue] {
        CredentialRow.use(of: registrationID, counter: signCounter, at: time, loggedInAt: loginTime)
    }

    fileprivate var key: [SQLValue] { AnswerRow.key(challenge, expiringAt: challengeExpiresAt) }

    /// Record of the audit, without its place in the chain.
    fileprivate var record: PendingAudit.Entry {
        PendingAudit.Entry(chainID: chainID, recordedAt: time, event: event, code: code, receipt: nil)
    }
}
