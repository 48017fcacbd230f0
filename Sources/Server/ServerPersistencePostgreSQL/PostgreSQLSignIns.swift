import ServerCore
import ServerPersistence

/// Writes many sign-ins in one exchange with the server: locks, conditions, rows of all tables and COMMIT.
///
/// Each column of the sign-ins is one array, and one statement writes every table. It writes a sign-in as a whole or not
/// at all: what its condition lets through and whose challenge is new. The records of the audit are chained on the server,
/// because only that statement knows which sign-ins there are.
struct PostgreSQLSignIns: SignInWriter {
    let writers: PostgreSQLPool
    let timeLimit: PostgreSQLTimeLimit

    func commit(_ signIns: [SignIn]) async throws(ServerPersistenceError) -> [Bool] {
        let chosen = Self.distinct(signIns)
        let beginning = timeLimit.beginning(
            "BEGIN ISOLATION LEVEL READ COMMITTED", plans: .kept)
        let places = try await writers.run { seat throws(ServerPersistenceError) in
            try PostgreSQLDatabase.repeating { () throws(ServerPersistenceError) in
                try Self.write(chosen.map { signIns[$0] }, beginning, on: beginning.connection(of: seat))
            }
        }
        let written = Set(places.compactMap { chosen.indices.contains($0) ? chosen[$0] : nil })
        return signIns.indices.map { written.contains($0) }
    }

    /// Places of sign-ins that one statement judges as if they came one after the other.
    ///
    /// No two have one challenge, and the sign-ins of one credential have counters that grow, or that do not count.
    /// Others wait for the result of these.
    private static func distinct(_ signIns: [SignIn]) -> [Int] {
        var challenges: Set<ChallengeHash> = []
        var counters: [RegistrationID: UInt32] = [:]
        return signIns.indices.filter { place in
            let signIn = signIns[place]
            guard signIn.chainID == signIns[0].chainID else { return false }
            if let last = counters[signIn.registrationID], last >= signIn.signCounter, last > 0 { return false }
            guard challenges.insert(signIn.challenge).inserted else { return false }
            counters[signIn.registrationID] = signIn.signCounter
            return true
        }
    }

    /// Writes sign-ins and returns the places of those that were written.
    private static func write(
        _ signIns: [SignIn], _ beginning: PostgreSQLTimeLimit.Beginning, on session: PostgreSQLSession
    ) throws(ServerPersistenceError) -> [Int] {
        guard let chain = signIns.first?.chainID else { return [] }
        do throws(ServerPersistenceError) {
            try beginning.enqueue(on: session)
            let credentials = PostgreSQLArray(signIns.map { .blob($0.registrationID.octets) }, of: .bytes).argument
            try session.enqueue(
                locks,
                [
                    PostgreSQLConnection.key(of: .consumption), credentials,
                    PostgreSQLConnection.key(of: .chain(chain)),
                ])
            try session.enqueue(statement, arguments(signIns, chain: chain))
            try session.enqueue("COMMIT", [])
            let replies = try session.flush()
            guard replies.last?.tag == "COMMIT", let reply = replies.dropLast().last else { throw .conflict }
            return reply.rows.compactMap { row in
                if case .integer(let place) = row.values.first { Int(place) - 1 } else { nil }
            }
        } catch {
            PostgreSQLDatabase.rollBack(session)
            throw PostgreSQLDatabase.unknown(beginning.judged(error), on: session)
        }
    }

    // MARK: - Statements

    /// Takes the locks in an order that is the same in every process: consumption, then the rows that are judged, and
    /// the chain last, so that a transaction that waits for a row does not hold up the records of others.
    ///
    /// A row is held when it leaves the join, which needs the row of `consuming` for it; the last lock is taken when all
    /// are counted. ``statement`` is another one because it has to see what was written until then.
    private static let locks = """
        WITH consuming AS MATERIALIZED (
            SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))
        ), judged AS MATERIALIZED (
            SELECT 1 FROM consuming, credentials JOIN users ON users.id = credentials.user_id
            WHERE credentials.registration_id = ANY ($2::bytea[])
            ORDER BY users.id, credentials.registration_id
            FOR SHARE OF users FOR NO KEY UPDATE OF credentials
        )
        SELECT pg_advisory_xact_lock(hashtextextended($3, 0))
        FROM (SELECT COUNT(*) FROM consuming) AS begun, (SELECT COUNT(*) FROM judged) AS held
        """

    /// Types of the columns of a row of `consumed_challenges`, of `sessions`, and of what else belongs to a sign-in.
    private static let answerTypes: [PostgreSQLArray.Element] = [
        .bytes, .integer, .integer, .bytes, .bytes, .integer, .integer, .integer, .integer, .text, .bytes, .text,
    ]
    private static let sessionTypes: [PostgreSQLArray.Element] = [
        .bytes, .bytes, .text, .integer, .integer, .bytes,
    ]

    /// Arguments of ``statement``: the arrays, then the chain, the hash before its first record, and its name as it is
    /// hashed.
    private static func arguments(_ signIns: [SignIn], chain: String) -> [SQLValue] {
        let answers = answerTypes.enumerated().map { column, type in
            PostgreSQLArray(signIns.map { $0.answer[column] }, of: type).argument
        }
        let sessions = sessionTypes.enumerated().map { column, type in
            PostgreSQLArray(signIns.map { $0.session?[column] ?? .null }, of: type).argument
        }
        let uses: [SQLValue] = [
            PostgreSQLArray(signIns.map { .blob($0.registrationID.octets) }, of: .bytes).argument,
            PostgreSQLArray(signIns.map { .integer(Int64($0.signCounter)) }, of: .integer).argument,
            PostgreSQLArray(signIns.map { .integer($0.loginTime.milliseconds) }, of: .integer).argument,
            PostgreSQLArray(signIns.map { .blob($0.event) }, of: .bytes).argument,
            PostgreSQLArray(signIns.map { .blob(optional: $0.code) }, of: .bytes).argument,
        ]
        return answers + sessions + uses + [
            .text(chain), .blob(AuditRecord.origin.octets), .blob(AuditRecord.hashedName(of: chain)),
        ]
    }

    private static let statement = """
        WITH RECURSIVE input AS (
            SELECT * FROM unnest(
                $1::bytea[], $2::bigint[], $3::bigint[], $4::bytea[], $5::bytea[], $6::bigint[], $7::bigint[],
                $8::bigint[], $9::bigint[], $10::text[], $11::bytea[], $12::text[], $13::bytea[], $14::bytea[],
                $15::text[], $16::bigint[], $17::bigint[], $18::bytea[], $19::bytea[], $20::bigint[], $21::bigint[],
                $22::bytea[], $23::bytea[]
            ) WITH ORDINALITY AS input (
                challenge_hash, expires_at, consumed_at, ceremony_id, user_id, uaf_status, asm_status, client_error,
                is_reported, credentials, transaction_hash, operation, cookie_hash, owner_id, method, created_at,
                session_end, evidence, registration_id, counter, login_time, event, code, place)
        ), good AS MATERIALIZED (
            SELECT input.* FROM input
            JOIN credentials ON credentials.registration_id = input.registration_id
            JOIN users ON users.id = credentials.user_id
            WHERE credentials.status = 'active' AND users.status = 'active' AND users.not_before <= input.login_time
                AND credentials.not_before <= input.login_time
                AND (credentials.sign_counter < input.counter OR (credentials.sign_counter = 0 AND input.counter = 0))
                AND input.expires_at >= (SELECT purged_before FROM consumption_watermark WHERE id = 1)
        ), consumed AS (
            INSERT INTO consumed_challenges (\(SignIn.answerColumns))
            SELECT \(SignIn.answerColumns) FROM good ORDER BY challenge_hash
            ON CONFLICT DO NOTHING RETURNING challenge_hash
        ), written AS MATERIALIZED (
            SELECT good.*, row_number() OVER (ORDER BY good.place) AS number
            FROM good JOIN consumed ON consumed.challenge_hash = good.challenge_hash
        ), used AS (
            UPDATE credentials
            SET sign_counter = uses.counter, last_success_at = uses.last, success_count = success_count + uses.count
            FROM (
                SELECT registration_id, max(counter) AS counter, max(consumed_at) AS last, count(*) AS count
                FROM written GROUP BY registration_id
            ) AS uses
            WHERE credentials.registration_id = uses.registration_id
        ), begun AS (
            INSERT INTO sessions (\(SignIn.sessionColumns))
            SELECT cookie_hash, owner_id, method, created_at, session_end, evidence, \(SignIn.generation) FROM written
            WHERE cookie_hash IS NOT NULL
        ), head AS (
            SELECT sequence, hash FROM audit_records WHERE chain_id = $24 ORDER BY sequence DESC LIMIT 1
        ), chain (number, sequence, previous_hash, hash) AS (
            SELECT 0::bigint, COALESCE((SELECT sequence FROM head), 0), NULL::bytea,
                COALESCE((SELECT hash FROM head), $25::bytea)
            UNION ALL
            SELECT written.number, chain.sequence + 1, chain.hash,
                sha256(chain.hash || $26::bytea || int8send(chain.sequence + 1) || written.event)
            FROM chain JOIN written ON written.number = chain.number + 1
        ), recorded AS (
            INSERT INTO audit_records (chain_id, sequence, recorded_at, event, previous_hash, hash, proof)
            SELECT $24, chain.sequence, written.consumed_at, written.event, chain.previous_hash, chain.hash,
                sha256(chain.hash || written.code)
            FROM chain JOIN written ON written.number = chain.number
        )
        SELECT place FROM written
        """
}
