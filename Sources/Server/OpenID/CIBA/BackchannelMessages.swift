import Octets
package import ServerCore
import StrictJSON

/// Notices of the ends of requests to the clients that do not poll: ping, push, and Keycloak's callback.
///
/// The audit says that a ceremony has ended; the message is written with the stage of the request, so that each end is
/// told once. The tokens of a push are made when it is sent; after a failed try the next one ends them, and the last try does.
package struct BackchannelMessages: OutgoingRequestMaker {
    let clients: any ClientRegistry
    let grants: any GrantIssuer
    let confirmations: any ConfirmationService
    let transactions: any OpenIDTransactionRunner
    let seal: OpenIDSeal
    let clock: any WallClock

    package var subscriber: any AuditSubscriber { BackchannelSubscriber(transactions: transactions, seal: seal) }

    // MARK: - Requests

    package var kinds: Set<OutgoingMessage.Kind> { [.backchannelPing, .backchannelPush] }

    package func request(
        for message: OutgoingMessage, at now: Timestamp
    ) async throws(ServerError) -> OutgoingRequest? {
        guard let request = try await request(of: message),
            let notification = try BackchannelNotification(of: request, seal),
            let client = try await clients.client(request.client), let address = Self.address(client, notification)
        else { return nil }
        let body = try await body(notification, request, client)
        return OutgoingRequest(
            address: address,
            fields: [
                (name: "Authorization", value: Sensitive("Bearer \(notification.token)")),
                (name: "Content-Type", value: Sensitive("application/json")),
            ], body: JSONWriter.write(.object(body)))
    }

    package func ended(_ message: OutgoingMessage, isDelivered: Bool) async throws(ServerError) {
        guard message.kind == .backchannelPush else { return }
        let now = clock.now()
        try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            guard isDelivered else { return try transaction.endGrant(of: message, at: now) }
            guard let id = message.backchannelRequest, var request = try transaction.backchannelRequest(id) else {
                return
            }
            request.stage = .delivered
            _ = try transaction.advance(request, from: .confirmed)
        }
    }

    private func request(of message: OutgoingMessage) async throws(ServerError) -> BackchannelRequest? {
        guard let id = message.backchannelRequest else { return nil }
        return try await transactions.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.backchannelRequest(id)
        }
    }

    private static func address(
        _ client: RegisteredClient, _ notification: BackchannelNotification
    ) -> OutgoingAddress? {
        switch (client.backchannel, notification.delivery) {
        case (.ping(let address), .ping), (.ping(let address), .keycloak), (.push(let address), .push): address
        default: nil
        }
    }

    private func body(
        _ notification: BackchannelNotification, _ request: BackchannelRequest, _ client: RegisteredClient
    ) async throws(ServerError) -> JSONObject {
        switch notification.delivery {
        case .ping: return ["auth_req_id": .string(notification.requestID)]
        case .keycloak: return ["status": .string(request.stage.keycloakStatus)]
        case .push: return try await tokens(notification.requestID, request, client)
        }
    }

    /// Tokens of a confirmed request, or the error of one that is not (CIBA Core 1.0, 10.3.1 and 12).
    private func tokens(
        _ requestID: String, _ request: BackchannelRequest, _ client: RegisteredClient
    ) async throws(ServerError) -> JSONObject {
        var body: JSONObject = ["auth_req_id": .string(requestID)]
        let state = try await confirmations.state(
            of: request.ceremony, for: .client(request.client), unlike: nil, atMost: .zero)
        guard case .confirmed(let confirmation) = state else {
            let error: OpenIDRefusal.Code =
                switch request.stage {
                case .denied: .accessDenied
                case .expired: .expiredToken
                case .pending, .confirmed, .delivered: .transactionFailed
                }
            body.append("error", .string(error.rawValue))
            return body
        }
        let granted = try await grants.issue(
            to: client, for: confirmation, scopes: request.scopes, requestID: requestID, by: transactions)
        guard let members = try? JSONParser.parse(granted.body).asObject() else { throw .signingFailed }
        for member in members.members { body.append(member.name, member.value) }
        return body
    }
}

extension OpenIDTransaction {
    /// Ends the grant whose tokens were to answer a request, where there is one.
    func endGrant(of request: BackchannelRequestHash, at now: Timestamp) throws(ServerTransactionFailure) {
        if let grant = try grant(of: request) { _ = try endGrants([grant], at: now) }
    }

    /// Ends the grant of a push that is given up.
    func endGrant(of message: OutgoingMessage, at now: Timestamp) throws(ServerTransactionFailure) {
        guard message.kind == .backchannelPush, let request = message.backchannelRequest else { return }
        try endGrant(of: request, at: now)
    }
}

extension OutgoingMessage {
    /// The request of CIBA whose end a ping or push tells.
    fileprivate var backchannelRequest: BackchannelRequestHash? {
        guard let members = try? JSONParser.parse(content).asObject(), let text = try? members.string("request"),
            let octets = try? Base64URL.decode(text)
        else { return nil }
        return BackchannelRequestHash(stored: octets)
    }
}

extension BackchannelRequest.Stage {
    fileprivate var keycloakStatus: String {
        switch self {
        case .confirmed, .delivered: "SUCCEED"
        case .denied: "UNAUTHORIZED"
        case .pending, .expired: "CANCELLED"
        }
    }
}
