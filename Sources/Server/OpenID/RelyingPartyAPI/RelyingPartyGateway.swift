import BackendAPI
import Octets
package import ServerCore
import StrictJSON
import UAF
import UAFService

/// Relying-party API on the services of the server.
package struct RelyingPartyGateway: RelyingPartyService {
    let users: UserService
    let storage: Storage
    let transactions: any OpenIDTransactionRunner
    let confirmations: any ConfirmationService
    let enrollments: Enrollments
    let statuses: StatusService
    let statements: SignedStatements
    let authorization: AuthorizationService
    /// Users whom access keys may know of.
    let reach: OutOfBandSettings
    let answers: IdempotentAnswers
    let clock: any WallClock
    let random: any RandomSource
    let recoveries: RecoveryService?
    /// Address of the page of recoveries.
    let recoveryAddress: String

    /// Puts the API together; `seal` keeps answers for requests that come again.
    package init(_ server: OpenIDServer, seal: OpenIDSeal) {
        let services = server.services
        recoveries = RecoveryService(server)
        recoveryAddress = services.settings.outOfBand.origin + "/recover"
        users = services.users
        storage = services.storage
        transactions = server.transactions
        confirmations = Confirmations(services, transactions: server.transactions)
        enrollments = Enrollments(services)
        statuses = services.status
        statements = SignedStatements(
            issuer: services.settings.tokens.issuer, keys: services.keys, wall: services.ports.wall)
        authorization = services.authorization
        reach = services.settings.outOfBand
        clock = services.ports.clock
        random = services.ports.random
        answers = IdempotentAnswers(transactions: server.transactions, seal: seal, clock: clock)
    }

    package func once(
        _ call: IdempotentCall,
        _ answer: @Sendable () async throws(RelyingPartyRefusal) -> RelyingPartyAnswer
    ) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer {
        switch try await served({ () async throws(ServerError) in try await answers.begin(call) }) {
        case .answered where call.isGivenOnce: throw .intentEnded
        case .reused: throw .keyReused
        case .inProgress: throw .requestInProgress
        case .answered(let kept):
            guard let opened = try await served({ () async throws(ServerError) in try answers.opened(kept, of: call) })
            else { throw .requestInProgress }
            return opened
        case .first:
            do throws(RelyingPartyRefusal) {
                let made = try await answer()
                try await served { () async throws(ServerError) in try await answers.finish(call, with: made) }
                return made
            } catch {
                try await served { () async throws(ServerError) in try await answers.finish(call, with: nil) }
                throw error
            }
        }
    }

    // MARK: - Transactions

    package func enroll(
        _ request: EnrollRequest, for key: AccessKeyName, client: ClientContext
    ) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer {
        let (user, isNew) = try await userToEnroll(request.subject, for: key)
        if !isNew { try request.intent?.requireHolds(for: user) }
        let begun: BegunConfirmation
        do throws(ServerError) {
            begun = try await enrollments.begin(user, policy: request.policy, by: .accessKey(key), client: client)
        } catch .malformedRequest {
            throw .malformed(member: ["policy"])
        } catch {
            throw .server(error)
        }
        var members = try await self.members(of: user)
        let token = try status(begun, .enrollment, user, key)
        members.append("enrollment", .object(Self.members(of: begun, token)))
        return RelyingPartyAnswer(status: isNew ? 201 : 200, body: JSONWriter.write(.object(members)))
    }

    package var hasRecovery: Bool { recoveries != nil }

    package func recover(
        _ subject: RelyingPartySubject, for key: AccessKeyName, client: ClientContext
    ) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer {
        let user = try await found(subject, for: key)
        let begun = try await served { () async throws(ServerError) in
            guard let recoveries else { throw .notConfigured }
            return try await recoveries.vouch(for: user, by: key, client: client)
        }
        let members: JSONObject = [
            "userId": .string(user.externalID.text), "username": .string(user.name.text),
            "recoveryCode": .string(begun.code.text), "recoveryUri": .string(recoveryAddress),
            "opensAt": .string(begun.recovery.opensAt.iso8601), "expiresAt": .string(begun.recovery.expiresAt.iso8601),
        ]
        return RelyingPartyAnswer(status: 201, body: JSONWriter.write(.object(members)))
    }

    package func approve(
        _ request: ApprovalRequest, for key: AccessKeyName, client: ClientContext
    ) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer {
        var user: User?
        if let subject = request.subject { user = try await found(subject, for: key) }
        if let user { try request.intent?.requireHolds(for: user) }
        let target = try await self.target(request.authenticatorID, of: user, for: key)
        var order = ConfirmationOrder(initiator: .accessKey(key), channel: .code(user))
        if request.channel == .push, let user {
            order = ConfirmationOrder(initiator: .accessKey(key), channel: .push(user, target))
        }
        order.text = request.message
        order.session = request.session
        order.notification = request.notification
        let begun = try await begin(order, client)
        var members = Self.members(of: begun, try status(begun, .approval, user, key))
        members.append("userId", user.map { .string($0.externalID.text) })
        members.append("username", user.map { .string($0.name.text) })
        members.append("channel", .string(request.channel.rawValue))
        members.append("createdAt", .string(clock.now().iso8601))
        members.append("expiresAt", .string(begun.expiresAt.iso8601))
        members.append("digits", begun.digits.map { .string($0.digits) })
        return RelyingPartyAnswer(body: JSONWriter.write(.object(members)))
    }

    package func intend(
        _ request: IntentRequest, for key: AccessKeyName
    ) throws(RelyingPartyRefusal) -> RelyingPartyAnswer {
        let token = IntentToken(request, of: key, id: CeremonyID(from: random).text, at: clock.now())
        do throws(ServerError) {
            let members: JSONObject = ["token": .string(try token.signed(by: statements))]
            return RelyingPartyAnswer(body: JSONWriter.write(.object(members)))
        } catch {
            throw .server(error)
        }
    }

    package func intent(_ token: String) -> IntentToken? { IntentToken(token, verifiedBy: statements) }

    private func begin(
        _ order: ConfirmationOrder, _ client: ClientContext
    ) async throws(RelyingPartyRefusal) -> BegunConfirmation {
        do throws(ServerError) {
            return try await confirmations.begin(order, client: client)
        } catch .policyViolation {
            throw .noSuitableAuthenticator
        } catch .malformedRequest {
            throw .malformed(member: ["message"])
        } catch {
            throw .server(error)
        }
    }

    private func status(
        _ begun: BegunConfirmation, _ operation: StatusToken.OperationName, _ user: User?, _ key: AccessKeyName
    ) throws(RelyingPartyRefusal) -> String {
        let token = StatusToken(
            ceremony: begun.id, initiator: .accessKey(key), operation: operation, createdAt: clock.now(),
            user: user?.externalID)
        do throws(ServerError) {
            return try token.signed(by: statements)
        } catch {
            throw .server(error)
        }
    }

    private static func members(of begun: BegunConfirmation, _ token: String) -> JSONObject {
        var members: JSONObject = ["transactionId": .string(begun.id.text), "statusToken": .string(token)]
        guard let link = begun.link else { return members }
        members.append("qrCode", .object(PictureMember(link.picture).members))
        members.append("appLinkUri", .string(link.text))
        return members
    }

    func served<Value: Sendable>(
        _ body: () async throws(ServerError) -> Value
    ) async throws(RelyingPartyRefusal) -> Value {
        do throws(ServerError) {
            return try await body()
        } catch {
            throw .server(error)
        }
    }
}

/// QR code as a member of an answer.
struct PictureMember {
    let members: JSONObject

    init(_ picture: [UInt8]) {
        // A PNG has its width in the octets 16 to 19 (PNG, 11.2.1).
        let width = picture.dropFirst(16).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        members = [
            "type": .string("image/png"), "size": .integer(width),
            "dataUri": .string("data:image/png;base64,\(Base64.encode(picture))"),
        ]
    }
}
