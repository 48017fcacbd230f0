import ServerCore
import UAF

/// The columns of `consumed_challenges` that tell how a ceremony in the application ended.
enum AnswerRow {
    static let insertion = """
        INSERT INTO consumed_challenges (
            challenge_hash, expires_at, consumed_at, ceremony_id, user_id, uaf_status, asm_status, client_error,
            is_reported, credentials)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ON CONFLICT DO NOTHING
        """

    /// What is inserted when everything holds.
    static func insertion(_ outcome: CeremonyOutcome) -> [SQLValue] {
        let ending = outcome.inApp
        return [
            .blob(outcome.challenge.octets), .integer(outcome.challengeExpiresAt.milliseconds),
            .integer(outcome.event.at.milliseconds), .blob(optional: ending?.id.octets),
            .blob(optional: ending?.userID?.octets),
            .integer(optional: ending.map { _ in Int64((outcome.event.statusCode ?? .ok).rawValue) }),
            .integer(optional: (ending?.asmStatus?.rawValue).map(Int64.init)),
            .integer(optional: (ending?.clientErrorCode?.rawValue).map(Int64.init)),
            .integer(ending?.isReported == true ? 1 : 0), .text((ending?.credentials ?? []).stored),
        ]
    }

    /// Corrects what was inserted, when a precondition did not hold.
    static let refusal = "UPDATE consumed_challenges SET uaf_status = $1, credentials = '' WHERE challenge_hash = $2"

    static let selection = """
        SELECT consumed_at, user_id, uaf_status, asm_status, client_error, is_reported, credentials
        FROM consumed_challenges WHERE ceremony_id = $1
        """

    /// The user and the end of a ceremony.
    static func answer(_ row: SQLRow) throws(ServerPersistenceError) -> (user: UserID?, progress: CeremonyProgress) {
        var reader = RowReader(row, table: "consumed_challenges")
        let time = Timestamp(milliseconds: try reader.integer("consumed_at"))
        let user = try reader.optionalBlob("user_id") { UserID($0) }
        let answer = try OperationRow.answer(&reader)
        let status: CeremonyProgress.Status = answer?.statusCode == .ok ? .succeeded : .failed
        return (
            user,
            CeremonyProgress(
                status: status, changedAt: time, expiresAt: time, failure: status == .failed ? .answered : nil,
                answer: answer)
        )
    }
}
