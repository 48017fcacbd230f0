import ServerCore
import UAF

/// The columns of `consumed_challenges` with the outcome of an in-band ceremony.
enum AnswerRow {
    static let columns = """
        challenge_hash, expires_at, consumed_at, ceremony_id, user_id, uaf_status, asm_status, client_error,
        is_reported, credentials, transaction_hash, operation
        """

    static let insertion = """
        INSERT INTO consumed_challenges (\(columns))
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        ON CONFLICT DO NOTHING
        """

    /// Values to insert when everything holds.
    static func insertion(_ outcome: CeremonyOutcome) -> [SQLValue] {
        let ending = outcome.inBand
        return [
            .blob(outcome.challenge.octets), .integer(outcome.challengeExpiresAt.milliseconds),
            .integer(outcome.event.at.milliseconds), .blob(optional: ending?.id.octets),
            .blob(optional: ending?.userID?.octets),
            .integer(optional: ending.map { _ in Int64((outcome.event.statusCode ?? .ok).rawValue) }),
            .integer(optional: (ending?.asmStatus?.rawValue).map(Int64.init)),
            .integer(optional: (ending?.clientErrorCode?.rawValue).map(Int64.init)),
            .integer(ending?.isReported == true ? 1 : 0), .text((ending?.credentials ?? []).stored),
            .blob(optional: ending?.transaction?.octets), .text(optional: ending?.operation.rawValue),
        ]
    }

    /// Corrects what was inserted, when a precondition did not hold.
    static let refusal = """
        UPDATE consumed_challenges SET uaf_status = $1, credentials = '', transaction_hash = NULL
        WHERE expires_at = $2 AND challenge_hash = $3
        """

    /// Takes back what was inserted in the same transaction.
    static let removal = "DELETE FROM consumed_challenges WHERE expires_at = $1 AND challenge_hash = $2"

    /// Values that find the row of a challenge: a hash has one expiry, which comes first in the key.
    static func key(_ challenge: ChallengeHash, expiringAt time: Timestamp) -> [SQLValue] {
        [.integer(time.milliseconds), .blob(challenge.octets)]
    }

    /// Time before which consumed challenges are forgotten.
    static func watermark(_ connection: any SQLConnection) throws(ServerPersistenceError) -> Timestamp {
        // A table that has lost its row lets nothing pass.
        guard let row = try connection.row("SELECT purged_before FROM consumption_watermark WHERE id = 1", []) else {
            return Timestamp(milliseconds: .max)
        }
        var reader = RowReader(row, table: "consumption_watermark")
        return Timestamp(milliseconds: try reader.integer("purged_before"))
    }

    static let selection = """
        SELECT operation, consumed_at, user_id, uaf_status, asm_status, client_error, is_reported, credentials,
            transaction_hash
        FROM consumed_challenges WHERE ceremony_id = $1
        """

    static func ended(_ row: SQLRow) throws(ServerPersistenceError) -> EndedCeremony {
        var reader = RowReader(row, table: "consumed_challenges")
        let operation = try reader.optionalText("operation") { OperationKind(rawValue: $0) }
        let time = Timestamp(milliseconds: try reader.integer("consumed_at"))
        let user = try reader.optionalBlob("user_id") { UserID($0) }
        let answer = try OperationRow.answer(&reader)
        let status: CeremonyProgress.Status = answer?.statusCode == .ok ? .succeeded : .failed
        return EndedCeremony(
            operation: operation, userID: user,
            progress: CeremonyProgress(
                status: status, changedAt: time, expiresAt: time, failure: status == .failed ? .answered : nil,
                answer: answer))
    }
}
