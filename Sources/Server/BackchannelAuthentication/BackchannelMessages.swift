import Octets
import OpenIDProvider
package import ServerCore
import StrictJSON
import Synchronization

/// Notices of the ends of requests to the clients that do not poll: ping, push, and Keycloak's callback.
///
/// The audit says that a ceremony has ended; the message is written with the stage of the request, so that each end is
/// told once. Tokens of a push are made when it is sent; those of a try that failed end with the next one.
package final class BackchannelMessages: OutgoingRequestMaker, AuditSubscriber {
    private let clients: any ClientRegistry
    private let grants: any GrantIssuer
    private let confirmations: any ConfirmationService
    private let transactions: any ServerTransactionRunner
    private let seal: WebSiteSeal
    /// Grants of pushes whose delivery is not known yet.
    private let issued = Mutex<[OutgoingMessageID: GrantID]>([:])

    /// Puts the notices together.
    package init(
        clients: any ClientRegistry, grants: any GrantIssuer, confirmations: any ConfirmationService,
        transactions: any ServerTransactionRunner, seal: WebSiteSeal
    ) {
        self.clients = clients
        self.grants = grants
        self.confirmations = confirmations
        self.transactions = transactions
        self.seal = seal
    }

    // MARK: - Ends of ceremonies

    package var name: String { "backchannel" }

    package var kinds: Set<AuditEvent.Kind> { Set(AuditEvent.Kind.allCases.filter { $0.stage != nil }) }

    package func prepare(
        _ records: [AuditSubscriberRecord], random: any RandomSource, at now: Timestamp
    ) async throws(ServerError) -> AuditSubscriberEffect {
        var ends: [BackchannelEnd] = []
        for record in records {
            guard let ceremony = record.ceremony, let stage = record.kind.stage else { continue }
            let request = try await transactions.read { snapshot throws(ServerTransactionFailure) in
                try snapshot.backchannelRequest(of: ceremony)
            }
            guard var request, request.stage == .pending else { continue }
            request.stage = stage
            let notification = try notification(of: request)
            let message = try notification.map { content throws(ServerError) in
                OutgoingMessage(
                    id: OutgoingMessageID(from: random),
                    kind: content.delivery == .push ? .backchannelPush : .backchannelPing,
                    destination: request.client.text, content: Self.content(request.id), createdAt: now)
            }
            ends.append(BackchannelEnd(request: request, message: message))
        }
        let found = ends
        guard !found.isEmpty else { return .nothing }
        return AuditSubscriberEffect { transaction throws(ServerTransactionFailure) in
            for end in found {
                guard try transaction.advance(end.request, from: .pending), let message = end.message else { continue }
                try transaction.insert(message)
            }
        }
    }

    private func notification(of request: BackchannelRequest) throws(ServerError) -> BackchannelNotification? {
        guard let sealed = request.sealedNotificationToken,
            let octets = try seal.open(sealed, as: .notification, for: request.id.octets)
        else { return nil }
        return BackchannelNotification(json: octets)
    }

    private static func content(_ id: BackchannelRequestHash) -> [UInt8] {
        JSONWriter.write(.object(["request": .string(Base64URL.encode(id.octets))]))
    }

    // MARK: - Requests

    /// Kinds of messages that it sends.
    package static let messageKinds: Set<OutgoingMessage.Kind> = [.backchannelPing, .backchannelPush]

    package func request(
        for message: OutgoingMessage, at now: Timestamp
    ) async throws(ServerError) -> OutgoingRequest? {
        guard let request = try await request(of: message), let notification = try notification(of: request),
            let client = try await clients.client(request.client), let address = Self.address(client, notification)
        else { return nil }
        let body = try await body(notification, request, client, message.id)
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
        _ message: OutgoingMessageID
    ) async throws(ServerError) -> JSONObject {
        switch notification.delivery {
        case .ping: return ["auth_req_id": .string(notification.requestID)]
        case .keycloak: return ["status": .string(request.stage.keycloakStatus)]
        case .push: return try await tokens(notification.requestID, request, client, message)
        }
    }

    /// Tokens of a confirmed request, or the error of one that is not (CIBA Core 1.0, 10.3.1 and 12).
    private func tokens(
        _ requestID: String, _ request: BackchannelRequest, _ client: RegisteredClient, _ message: OutgoingMessageID
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
        try await endGrant(of: message, at: confirmation.evidence.authenticatedAt)
        let granted = try await grants.issue(
            to: client, for: confirmation, scopes: request.scopes, requestID: requestID)
        issued.withLock { $0[message] = granted.grant }
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

/// End of a request, with the message that tells it.
struct BackchannelEnd: Sendable {
    /// The request in the stage that it gets.
    let request: BackchannelRequest
    /// Nil for a client that polls.
    let message: OutgoingMessage?
}

extension AuditEvent.Kind {
    /// Stage of a request of CIBA whose ceremony ends with a record of this kind; nil for other kinds.
    fileprivate var stage: BackchannelRequest.Stage? {
        switch self {
        case .authenticationSucceeded, .transactionSucceeded: .confirmed
        case .authenticationFailed, .transactionFailed, .cloneSuspected, .operationReported: .denied
        case .tokenTimedOut, .operationTimedOut, .operationSuperseded, .operationCancelled, .dispatchFailed: .expired
        default: nil
        }
    }
}

extension BackchannelRequest.Stage {
    /// Status of Keycloak's callback.
    fileprivate var keycloakStatus: String {
        switch self {
        case .confirmed, .delivered: "SUCCEED"
        case .denied: "UNAUTHORIZED"
        case .pending, .expired: "CANCELLED"
        }
    }
}
