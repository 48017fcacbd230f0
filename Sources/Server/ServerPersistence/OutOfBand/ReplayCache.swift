import ServerCore

/// Replay cache: signed requests of devices, for as long as they would be accepted again.
struct ReplayCache {
    let connection: any SQLConnection

    /// False when the request came before.
    func remember(_ request: SignedRequest) throws(ServerPersistenceError) -> Bool {
        try connection.execute(
            """
            INSERT INTO device_requests (target_id, request_id, remembered_until) VALUES ($1, $2, $3)
            ON CONFLICT DO NOTHING
            """,
            [
                .blob(request.targetID.octets), .text(request.requestID),
                .integer(request.rememberedUntil.milliseconds),
            ]) == 1
    }
}
