import BackendAPI
import Octets
import ServerCore
import StrictJSON

/// CIBA: a client names a user, the phone is pushed, and the client polls or is told (CIBA Core 1.0).
package struct BackchannelAuthentication: BackchannelService {
    /// Longest life of a request.
    let lifetime: Duration
    /// Whether the answer to the client has digits.
    let hasDigits: Bool
    let users: BackchannelUsers
    let confirmations: any ConfirmationService
    /// Seal of what clients are notified with.
    let seal: OpenIDSeal
    let clock: any WallClock
    let random: any RandomSource

    package func begin(
        _ request: ClientRequest, of client: RegisteredClient
    ) async throws(OpenIDRefusal) -> [UInt8] {
        guard let delivery = client.backchannel else {
            throw OpenIDRefusal(
                .unauthorizedClient, cause: "the client may not use CIBA: set its ciba to poll, ping or push")
        }
        if case .none = client.authentication { throw OpenIDRefusal(.unauthorizedClient) }
        let asked = try BackchannelFields(request.fields, for: client, delivery, longest: lifetime)
        let user = try await users.user(of: asked.hint, for: client)
        let (octets, begun) = try await begin(asked, for: user, client, request.client)
        let now = clock.now()
        var answer: JSONObject = [
            "auth_req_id": .string(Base64URL.encode(octets)),
            "expires_in": .integer((begun.expiresAt - now).components.seconds),
        ]
        answer.append("digits", begun.digits.map { .string($0.digits) })
        if case .push = delivery { return JSONWriter.write(.object(answer)) }
        answer.append("interval", .integer(BackchannelPolling.step.components.seconds))
        return JSONWriter.write(.object(answer))
    }

    // MARK: - Begin

    private func begin(
        _ asked: BackchannelFields, for user: User, _ client: RegisteredClient, _ context: ClientContext
    ) async throws(OpenIDRefusal) -> (octets: [UInt8], begun: BegunConfirmation) {
        var order = ConfirmationOrder(initiator: .client(client.id), channel: .push(user, nil))
        order.text = asked.bindingMessage
        order.notification = client.name
        order.lifetime = asked.lifetime
        order.assurance = asked.assurance.min()
        order.linking = hasDigits ? nil : ChannelLinkingMethod.none
        do throws(ServerError) {
            return try await begin(order, for: user, by: client, asked, context)
        } catch {
            throw OpenIDRefusal(beginning: error)
        }
    }

    /// Places the order, and keeps the request that is answered when it ends.
    ///
    /// Without digits in the answer (CIBA Core 1.0, 7.3, has none) the phone must ask for none, since no screen shows them;
    /// the `binding_message` ties the two screens together, when there are two.
    func begin(
        _ order: ConfirmationOrder, for user: User, by client: RegisteredClient, _ asked: BackchannelFields,
        _ context: ClientContext
    ) async throws(ServerError) -> (octets: [UInt8], begun: BegunConfirmation) {
        let octets = random.bytes(count: 32)
        let hash = BackchannelRequestHash(of: octets)
        let notification = asked.notification(Base64URL.encode(octets))
        let sealed = try notification.map { content throws(ServerError) in
            try seal.seal(content.json, as: .notification, for: hash.octets)
        }
        var order = order
        order.signIn = .backchannel
        let now = clock.now()
        let begun = try await confirmations.begin(order, client: context) {
            id, transaction throws(ServerTransactionFailure) in
            try transaction.insert(
                BackchannelRequest(
                    id: hash, client: client.id, userID: user.id, ceremony: id, scopes: asked.scopes,
                    assurance: asked.assurance, sealedNotificationToken: sealed, createdAt: now,
                    expiresAt: now + asked.lifetime))
            return true
        }
        return (octets: octets, begun: begun)
    }
}

extension OpenIDRefusal {
    /// Refusal of a request whose order was not begun; it does not show which users have a phone, or are locked.
    ///
    /// A push service that refuses the message is a fault of the server, so the client is not told that the user is
    /// unknown.
    init(beginning error: ServerError) {
        switch error {
        case .policyViolation, .userUnknown, .forbidden: self.init(.unknownUserID)
        case .malformedRequest: self.init(.invalidBindingMessage, field: "binding_message")
        case .tooManyOperations(let wait), .quietHours(let wait), .overloaded(let wait), .throttled(let wait),
            .undelivered(let wait):
            self.init(.temporarilyUnavailable, retryAfter: max(1, Int(clamping: wait.components.seconds)))
        case .storageUnavailable: self = .outage
        default: self.init(.serverError)
        }
    }
}
