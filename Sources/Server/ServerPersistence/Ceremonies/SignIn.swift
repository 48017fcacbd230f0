package import ServerCore

/// Successful in-band authentication with one key, as the statements that write many at a time take it.
package struct SignIn: Sendable {
    /// The challenge, which is consumed; unique among all sign-ins.
    package let challenge: ChallengeHash
    /// Expiry of the challenge, which must not lie before the watermark of consumption.
    package let challengeExpiresAt: Timestamp
    package let registrationID: RegistrationID
    package let signCounter: UInt32
    /// Time of the login, after which no logins of the user may have been ended.
    package let loginTime: Timestamp
    /// Time of the response.
    package let time: Timestamp
    /// Values of the row of `consumed_challenges`, in the order of ``answerColumns``.
    package let answer: [SQLValue]
    /// Values of the row of `sessions`, in the order of ``sessionColumns`` without the last; nil when no session begins.
    package let session: [SQLValue]?
    /// The audit chain of this process.
    package let chainID: String
    /// Content of the record of the audit.
    package let event: [UInt8]
    /// Code of ``event``, which proves the record (``AuditKey``); nil in a process without the keys of the server.
    package let code: [UInt8]?

    /// Takes the outcome of a ceremony; nil for any other than a recorded in-band authentication with one key, without a
    /// receipt, and with no statement about the application, whose counter is one more condition.
    init?(_ outcome: CeremonyOutcome, chain: AuditChain) {
        guard case .authenticate(let uses, let session) = outcome.effect, uses.count == 1, let use = uses.first,
            outcome.operation == nil, outcome.target == nil, outcome.application == nil, outcome.receipt == nil,
            outcome.isRecorded
        else { return nil }
        challenge = outcome.challenge
        challengeExpiresAt = outcome.challengeExpiresAt
        registrationID = use.registrationID
        signCounter = use.signCounter
        loginTime = outcome.loginTime
        time = outcome.event.at
        answer = AnswerRow.insertion(outcome)
        self.session = session.map(SessionRow.arguments)
        chainID = chain.id
        event = chain.content(of: outcome.event)
        code = chain.key.key?.code(of: event)
    }

    package static let answerColumns = AnswerRow.columns
    package static let sessionColumns = SessionRow.columns
    /// Value of the last of them.
    package static let generation = GivenOut.generation
}

/// Port of a database that writes many sign-ins with a few statements.
package protocol SignInWriter: Sendable {
    /// Writes the sign-ins whose preconditions hold in one durable transaction, and returns for each whether it was written.
    ///
    /// Of the others nothing is written: not even the challenge is consumed. Each condition is judged on rows that no
    /// other transaction changes before the commit.
    func commit(_ signIns: [SignIn]) async throws(ServerPersistenceError) -> [Bool]
}
