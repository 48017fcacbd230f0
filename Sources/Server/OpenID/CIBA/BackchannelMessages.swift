import Octets
package import ServerCore
import StrictJSON
import Synchronization

/// Notices of the ends of requests to the clients that do not poll: ping, push, and Keycloak's callback.
///
/// The audit says that a ceremony has ended; the message is written with the stage of the request, so that each end is
/// told once. The tokens of a push are made when it is sent; after a failed try the next one ends them.
package final class BackchannelMessages: OutgoingRequestMaker {
    private let clients: any ClientRegistry
    private let grants: any GrantIssuer
    private let confirmations: any ConfirmationService
    private let transactions: any OpenIDTransactionRunner
    private let seal: OpenIDSeal
    /// Grants of pushes whose delivery is not known yet.
    private let issued = Mutex<[OutgoingMessageID: GrantID]>([:])

    init(
        clients: any ClientRegistry, grants: any GrantIssuer, confirmations: any ConfirmationService,
        transactions: any OpenIDTransactionRunner, seal: OpenIDSeal
    ) {
        self.clients = clients
        self.grants = grants
        self.confirmations = confirmations
        self.transactions = transactions
        self.seal = seal
    }

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
        let body = try await body(notification, request, client, (message.id, now))
        return OutgoingRequest(
            address: address,
            fields: [
                (name: "Authorization", value: Sensitive("Bearer \(notification.token)")),
                (name: "Content-Type", value: Sensitive("application/json")),
            ], body: JSONWriter.write(.object(body)))
    }

    package func ended(_ message: OutgoingMessage, isDelivered: Bool) async throws(ServerError) {
        issued.withLock { _ = $0.removeValue(forKey: message.id) }
        guard isDelivered, message.kind == .backchannelPush, var request = try await request(of: message),
            request.stage == .confirmed
        else { return }
        request.stage = .delivered
        let row = request
        _ = try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.advance(row, from: .confirmed)
        }
    }

    private func request(of message: OutgoingMessage) async throws(ServerError) -> BackchannelRequest? {
        guard let members = try? JSONParser.parse(message.content).asObject(),
            let text = try? members.string("request"), let octets = try? Base64URL.decode(text),
            let id = BackchannelRequestHash(stored: octets)
        else { return nil }
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
        _ notification: BackchannelNotification, _ request: BackchannelRequest, _ client: RegisteredClient,
        _ message: (id: OutgoingMessageID, now: Timestamp)
    ) async throws(ServerError) -> JSONObject {
        switch notification.delivery {
        case .ping: return ["auth_req_id": .string(notification.requestID)]
        case .keycloak: return ["status": .string(request.stage.keycloakStatus)]
        case .push: return try await tokens(notification.requestID, request, client, message)
        }
    }

    /// Tokens of a confirmed request, or the error of one that is not (CIBA Core 1.0, 10.3.1 and 12).
    private func tokens(
        _ requestID: String, _ request: BackchannelRequest, _ client: RegisteredClient,
        _ message: (id: OutgoingMessageID, now: Timestamp)
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
        try await endGrant(of: message.id, at: message.now)
        let granted = try await grants.issue(
            to: client, for: confirmation, scopes: request.scopes, requestID: requestID)
        issued.withLock { $0[message.id] = granted.grant }
        guard let members = try? JSONParser.parse(granted.body).asObject() else { throw .signingFailed }
        for member in members.members { body.append(member.name, member.value) }
        return body
    }

    private func endGrant(of message: OutgoingMessageID, at now: Timestamp) async throws(ServerError) {
        guard let grant = issued.withLock({ $0[message] }) else { return }
        _ = try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.endGrant(grant, at: now)
        }
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
