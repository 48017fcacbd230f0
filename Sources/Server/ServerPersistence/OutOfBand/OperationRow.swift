import BackendAPI
import ServerCore
import UAF

/// Columns of `operations`.
enum OperationRow {
    static let columns = """
        operations.id, operations.operation, operations.user_id, operations.dispatch_target_id, operations.initiator,
        operations.token_hash, operations.asked, operations.link_mode, operations.link_salt, operations.link_digest,
        operations.dispatcher, operations.dispatcher_response, operations.notification, operations.sealed_content,
        operations.created_at, operations.status, operations.changed_at, operations.expires_at,
        operations.token_result, operations.failure, operations.uaf_status, operations.asm_status,
        operations.client_error, operations.is_reported, operations.credentials, operations.transaction_hash,
        operations.is_by_stranger, operations.is_push, operations.is_sealed, operations.initiator_session,
        operations.evidence, operations.previous_token_hash, operations.previous_expires_at, operations.sign_in
        """

    static let columnCount = columns.split(separator: ",").count

    static let isOfGeneration = GivenOut.isOfGeneration("operations")

    static let selectionByID = "SELECT \(columns) FROM operations WHERE id = $1 AND \(isOfGeneration)"

    static let selectionByToken = "SELECT \(columns) FROM operations WHERE token_hash = $1 AND \(isOfGeneration)"

    static let selectionByPreviousToken = "SELECT \(columns) FROM operations WHERE previous_token_hash = $1"

    static let selectionOpenByUser = """
        SELECT \(columns) FROM operations
        WHERE user_id = $1 AND status IN ('tokenCreated', 'clientRegistering', 'clientAuthenticating')
            AND \(isOfGeneration)
        """

    static let selectionOpenByTarget = """
        SELECT \(columns) FROM operations
        WHERE dispatch_target_id = $1 AND status IN ('tokenCreated', 'clientRegistering', 'clientAuthenticating')
            AND \(isOfGeneration)
        """

    static let selectionWaitingByTarget = """
        SELECT \(columns) FROM operations WHERE dispatch_target_id = $1 AND status = 'tokenCreated' AND expires_at > $2
            AND \(isOfGeneration)
        ORDER BY created_at DESC, id
        """

    static let selectionOverdue = """
        SELECT \(columns) FROM operations
        WHERE status IN ('tokenCreated', 'clientRegistering', 'clientAuthenticating') AND expires_at <= $1
        ORDER BY expires_at LIMIT $2
        """

    static func operation(_ row: SQLRow) throws(ServerPersistenceError) -> OutOfBandCeremony {
        var reader = RowReader(row, table: "operations")
        return try operation(&reader)
    }

    static func operation(_ reader: inout RowReader) throws(ServerPersistenceError) -> OutOfBandCeremony {
        var operation = OutOfBandCeremony(
            id: try reader.blob("id") { CeremonyID($0) },
            operation: try reader.text("operation") { OperationKind(rawValue: $0) },
            userID: try reader.optionalBlob("user_id") { UserID($0) },
            targetID: try reader.optionalBlob("dispatch_target_id") { DispatchTargetID($0) },
            initiator: try reader.text("initiator") { Initiator(stored: $0) },
            tokenHash: try reader.blob("token_hash") { RedeemTokenHash(stored: $0) },
            requestContext: try reader.text("asked"), link: try link(&reader), dispatch: try dispatch(&reader),
            sealedContent: try reader.blob("sealed_content"),
            createdAt: Timestamp(milliseconds: try reader.integer("created_at")), progress: try progress(&reader))
        operation.isByStranger = try reader.integer("is_by_stranger") != 0
        operation.isPush = try reader.integer("is_push") != 0
        operation.isSealed = try reader.integer("is_sealed") != 0
        operation.session = try reader.optionalBlob("initiator_session") { InitiatorSessionHash(stored: $0) }
        operation.evidence = try reader.optionalBlob("evidence") { RequestAuthorization.Evidence(stored: $0) }
        let previous = try reader.optionalBlob("previous_token_hash") { RedeemTokenHash(stored: $0) }
        let end = try reader.optionalInteger("previous_expires_at").map { Timestamp(milliseconds: $0) }
        operation.signIn = try reader.optionalText("sign_in") { AuditEvent.SignInChannel(rawValue: $0) }
        if let previous, let end { operation.previousToken = .init(hash: previous, expiresAt: end) }
        return operation
    }

    private static func link(_ reader: inout RowReader) throws(ServerPersistenceError) -> ChannelLink? {
        let mode = try reader.optionalText("link_mode") { ChannelLinkingMethod(rawValue: $0) }
        let salt = try reader.optionalBlob("link_salt")
        let digest = try reader.optionalBlob("link_digest") { LinkingDigest(stored: $0) }
        guard let mode, let salt, let digest else { return nil }
        return ChannelLink(mode: mode, salt: salt, digest: digest)
    }

    private static func dispatch(_ reader: inout RowReader) throws(ServerPersistenceError)
        -> OutOfBandCeremony.Dispatch?
    {
        let dispatcher = try reader.optionalText("dispatcher")
        let response = try reader.optionalText("dispatcher_response")
        let notification = try reader.optionalText("notification")
        return dispatcher.map {
            OutOfBandCeremony.Dispatch(
                dispatcher: DispatcherName(rawValue: $0), response: response, notification: notification)
        }
    }

    private static func progress(_ reader: inout RowReader) throws(ServerPersistenceError) -> CeremonyProgress {
        CeremonyProgress(
            status: try reader.text("status") { CeremonyProgress.Status(rawValue: $0) },
            changedAt: Timestamp(milliseconds: try reader.integer("changed_at")),
            expiresAt: Timestamp(milliseconds: try reader.integer("expires_at")),
            tokenResult: try reader.optionalText("token_result") { CeremonyProgress.TokenResult(rawValue: $0) },
            failure: try reader.optionalText("failure") { CeremonyProgress.Failure(rawValue: $0) },
            answer: try answer(&reader))
    }

    /// The columns `uaf_status`, `asm_status`, `client_error`, `is_reported`, `credentials` and `transaction_hash`, in
    /// this order.
    static func answer(_ reader: inout RowReader) throws(ServerPersistenceError) -> CeremonyProgress.Answer? {
        let status = try reader.optionalInteger("uaf_status")
        let asmStatus = try reader.optionalInteger("asm_status")
        let clientError = try reader.optionalInteger("client_error")
        let isReported = try reader.integer("is_reported") != 0
        let credentials = try reader.text("credentials") { ProvedCredential.list(stored: $0) }
        let transaction = try reader.optionalBlob("transaction_hash") { TransactionHash(stored: $0) }
        return status.map { status in
            var answer = CeremonyProgress.Answer(
                statusCode: StatusCode(rawValue: UInt32(truncatingIfNeeded: status)),
                asmStatus: asmStatus.map { ASMStatus(rawValue: Int16(truncatingIfNeeded: $0)) },
                clientErrorCode: clientError.map { ClientErrorCode(rawValue: UInt16(truncatingIfNeeded: $0)) },
                isReported: isReported, credentials: credentials)
            answer.transaction = transaction
            return answer
        }
    }
}

extension OperationRow {
    static let insertion = """
        INSERT INTO operations (
            id, operation, user_id, dispatch_target_id, initiator, token_hash, asked, link_mode, link_salt, link_digest,
            dispatcher, dispatcher_response, notification, sealed_content, created_at, status, changed_at, expires_at,
            is_by_stranger, is_push, is_sealed, initiator_session, evidence, sign_in, generation)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
            $23, $24, \(GivenOut.generation))
        """

    static func arguments(_ operation: OutOfBandCeremony) -> [SQLValue] {
        let link = operation.link
        return [
            .blob(operation.id.octets), .text(operation.operation.rawValue),
            .blob(optional: operation.userID?.octets), .blob(optional: operation.targetID?.octets),
            .text(operation.initiator.text), .blob(operation.tokenHash.octets), .text(operation.requestContext),
            .text(optional: link?.mode.rawValue), .blob(optional: link?.salt), .blob(optional: link?.digest.octets),
            .text(optional: operation.dispatch?.dispatcher.rawValue), .text(optional: operation.dispatch?.response),
            .text(optional: operation.dispatch?.notification), .blob(operation.sealedContent),
            .integer(operation.createdAt.milliseconds), .text(operation.progress.status.rawValue),
            .integer(operation.progress.changedAt.milliseconds), .integer(operation.progress.expiresAt.milliseconds),
            .integer(operation.isByStranger ? 1 : 0), .integer(operation.isPush ? 1 : 0),
            .integer(operation.isSealed ? 1 : 0), .blob(optional: operation.session?.octets),
            .blob(optional: operation.evidence?.octets), .text(optional: operation.signIn?.rawValue),
        ]
    }

    /// Writes what a code that is renewed has anew, while no phone has taken it.
    static let renewal = """
        UPDATE operations
        SET token_hash = $1, previous_token_hash = $2, previous_expires_at = $3, expires_at = $4, link_mode = $5,
            link_salt = $6, link_digest = $7
        WHERE id = $8 AND status = 'tokenCreated'
        """

    static func renewalArguments(_ operation: OutOfBandCeremony) -> [SQLValue] {
        let (previous, link) = (operation.previousToken, operation.link)
        return [
            .blob(operation.tokenHash.octets), .blob(optional: previous?.hash.octets),
            .integer(optional: previous?.expiresAt.milliseconds),
            .integer(operation.progress.expiresAt.milliseconds), .text(optional: link?.mode.rawValue),
            .blob(optional: link?.salt), .blob(optional: link?.digest.octets), .blob(operation.id.octets),
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
