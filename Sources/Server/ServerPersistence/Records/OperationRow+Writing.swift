import BackendAPI
import ServerCore
import UAF

extension OperationRow {
    static let insertion = """
        INSERT INTO operations (
            id, operation, user_id, dispatch_target_id, initiator, token_hash, asked, link_mode, link_salt, link_digest,
            dispatcher, dispatcher_response, notification, sealed_content, created_at, status, changed_at, expires_at,
            is_push, is_sealed, initiator_session, evidence)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
        """

    static func arguments(_ operation: OutOfBandCeremony) -> [SQLValue] {
        let link = operation.link
        return [
            .blob(operation.id.octets), .text(operation.operation.rawValue),
            .blob(optional: operation.userID?.octets), .blob(optional: operation.targetID?.octets),
            .text(operation.initiator.text), .blob(operation.tokenHash.octets), .text(operation.asked),
            .text(optional: link?.mode.rawValue), .blob(optional: link?.salt), .blob(optional: link?.digest.octets),
            .text(optional: operation.dispatch?.dispatcher.rawValue), .text(optional: operation.dispatch?.response),
            .text(optional: operation.dispatch?.notification), .blob(operation.sealedContent),
            .integer(operation.createdAt.milliseconds), .text(operation.progress.status.rawValue),
            .integer(operation.progress.changedAt.milliseconds), .integer(operation.progress.expiresAt.milliseconds),
            .integer(operation.isPush ? 1 : 0), .integer(operation.isSealed ? 1 : 0),
            .blob(optional: operation.session?.octets),
            .blob(optional: operation.evidence?.octets),
        ]
    }

    /// Writes a new state, if the stored one is still `from`; what only a waiting token needs is forgotten with it.
    static let update = """
        UPDATE operations
        SET status = $1, changed_at = $2, expires_at = $3, token_result = $4, failure = $5, uaf_status = $6,
            asm_status = $7, client_error = $8, is_reported = $9, credentials = $10, sealed_content = $11,
            user_id = COALESCE(user_id, $12), transaction_hash = $13
        WHERE id = $14 AND status = $15
        """

    static func arguments(
        _ progress: CeremonyProgress, from status: CeremonyProgress.Status, of operation: OutOfBandCeremony,
        user: UserID?
    ) -> [SQLValue] {
        let answer = progress.answer
        return [
            .text(progress.status.rawValue), .integer(progress.changedAt.milliseconds),
            .integer(progress.expiresAt.milliseconds), .text(optional: progress.tokenResult?.rawValue),
            .text(optional: progress.failure?.rawValue),
            .integer(optional: (answer?.statusCode.rawValue).map(Int64.init)),
            .integer(optional: (answer?.asmStatus?.rawValue).map(Int64.init)),
            .integer(optional: (answer?.clientErrorCode?.rawValue).map(Int64.init)),
            .integer(answer?.isReported == true ? 1 : 0), .text((answer?.credentials ?? []).stored),
            .blob(progress.status == .tokenCreated ? operation.sealedContent : []), .blob(optional: user?.octets),
            .blob(optional: answer?.transaction?.octets), .blob(operation.id.octets), .text(status.rawValue),
        ]
    }
}

extension ProvedCredential {
    /// Reads what `stored` wrote; nil for anything else.
    static func list(stored text: String) -> [ProvedCredential]? {
        var list: [ProvedCredential] = []
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ").map(String.init)
            guard parts.count == 3, let aaid = AAID(parts[0]), let keyID = KeyID(base64URL: parts[1]),
                let registrationID = RegistrationID(text: parts[2])
            else { return nil }
            list.append(
                ProvedCredential(id: CredentialID(aaid: aaid, keyID: keyID), registrationID: registrationID))
        }
        return list
    }
}

extension [ProvedCredential] {
    /// One line for each credential.
    var stored: String {
        map { "\($0.id.aaid.text) \($0.id.keyID.base64URL) \($0.registrationID.text)" }.joined(separator: "\n")
    }
}
