import CommandSupport
import Foundation

/// pgbench with the transaction of a sign-in, on the tables and rows that the server has: the rate of a program that does
/// nothing else.
///
/// The statements are one sign-in without the rules around them: the user and the credentials by name, then in one
/// transaction the challenge, the counter of the credential, the session and a record of the audit, each prepared and sent
/// by itself. Every transaction waits for the disk, together with those that commit at the same time.
struct Pgbench {
    private static let clientCount = 64
    private static let threadCount = 2

    /// Rate of the transactions and what they cost the database.
    struct Rate {
        /// Transactions per second.
        let perSecond: Double
        /// Transactions per second of the database's CPU time.
        let perCPUSecond: Double
    }

    /// The database server.
    let server: LocalPostgreSQL
    /// Name of the database, which holds a population.
    let database: String
    /// Users with a credential in it.
    let userCount: Int

    /// Runs the transaction for `seconds`, after a second of warm-up.
    func rate(seconds: Double) async throws -> Rate {
        let folder = try TemporaryFolder(named: "signet-pgbench")
        let script = folder.url.appending(path: "sign-in.sql")
        try Data(Self.transaction.utf8).write(to: script)
        _ = try await run(script, seconds: 1, chain: "warm-up")
        let time = try ProcessTime(ofTree: server.identifier)
        let output = try await run(script, seconds: max(Int(seconds.rounded()), 1), chain: "measured")
        let used = try ProcessTime(ofTree: server.identifier) - time
        guard let perSecond = Self.number(after: "tps = ", in: output),
            let count = Self.number(after: "number of transactions actually processed: ", in: output)
        else { throw BenchmarkFailure.programFailed("pgbench", String(output.suffix(600))) }
        return Rate(perSecond: perSecond, perCPUSecond: count / used.total)
    }

    private func run(_ script: URL, seconds: Int, chain: String) async throws -> String {
        try await server.run(
            "pgbench",
            [
                "-n", "-M", "prepared", "-c", String(Self.clientCount), "-j", String(Self.threadCount), "-T",
                String(seconds), "-D", "users=\(userCount)", "-D", "sequence=0", "-D",
                "chain=\(chain)-\(UUID().uuidString)", "-f", script.path(), database,
            ])
    }

    /// Number behind a label in what pgbench writes.
    static func number(after label: String, in text: String) -> Double? {
        guard let place = text.firstRange(of: label) else { return nil }
        return Double(text[place.upperBound...].prefix { $0.isNumber || $0 == "." })
    }

    private static let transaction = #"""
        \set number random(0, :users - 1)
        \set sequence :sequence + 1
        \set now 1800000000000 + :sequence
        SELECT users.id AS user_id FROM user_aliases JOIN users ON users.id = user_aliases.user_id
        WHERE user_aliases.alias = 'user' || :number::bigint \gset
        SELECT registration_id FROM credentials WHERE user_id = :user_id::bytea ORDER BY registered_at LIMIT 1 \gset
        BEGIN;
        INSERT INTO consumed_challenges (
            challenge_hash, expires_at, consumed_at, ceremony_id, user_id, uaf_status, credentials, operation)
        VALUES (
            sha256(uuid_send(gen_random_uuid())), :now::bigint + 480000, :now::bigint,
            substring(int8send(:now::bigint) from 3) || substring(uuid_send(gen_random_uuid()) from 7),
            :user_id::bytea, 1200, '', 'authentication')
        ON CONFLICT DO NOTHING;
        UPDATE credentials SET last_success_at = :now::bigint, success_count = success_count + 1
        WHERE registration_id = :registration_id::bytea AND status = 'active' AND EXISTS (
            SELECT 1 FROM users WHERE users.id = credentials.user_id AND users.status = 'active');
        INSERT INTO sessions (cookie_hash, user_id, method, created_at, expires_at, evidence)
        VALUES (
            substring(int8send(:now::bigint) from 3) || substring(sha256(uuid_send(gen_random_uuid())) from 7),
            :user_id::bytea, 'fido-uaf', :now::bigint, :now::bigint + 3600000,
            :registration_id::bytea);
        INSERT INTO audit_records (chain_id, sequence, recorded_at, event, previous_hash, hash, proof)
        VALUES (
            :chain || '-' || :client_id::bigint, :sequence::bigint, :now::bigint,
            convert_to(repeat('x', 300), 'UTF8'), sha256(uuid_send(gen_random_uuid())),
            sha256(uuid_send(gen_random_uuid())), sha256(uuid_send(gen_random_uuid())));
        COMMIT;

        """#
}
