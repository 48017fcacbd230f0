import BackendAPI
import Octets
import OpenID
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Dispatch (backend-http-api 2.2)")
struct DispatchTests {
    private let stage: OutOfBandStage

    init() async throws {
        stage = try await OutOfBandStage()
    }

    private var server: TestServer { stage.server }

    @Test("Unknown users, targets and dispatchers have a result each, and nothing leaves the server")
    func results() async throws {
        #expect(try await server.dispatch("absent", to: stage.target).result == .userNotFound)
        #expect(try await server.dispatch(to: "unknown").result == .dispatchTargetNotFound)
        #expect(try await server.dispatch(by: .pngQRCode).result == .dispatcherNotFound)
        #expect(try await server.dispatch(by: .firebaseCloudMessaging).result == .dispatchTargetNotFound)
        let eve = try await server.services.users.add(name: "eve")
        let foreign = try await server.addTarget(of: eve, on: SyntheticDevice("two"))
        #expect(try await server.dispatch(to: foreign).result == .dispatchTargetNotFound)
        #expect(server.push.parcels.isEmpty && server.link.parcels.isEmpty)
    }

    @Test("Nothing is pushed unsealed; a link is, unless the configuration forbids it")
    func encryption() async throws {
        let target = try await server.addTarget(
            of: stage.user, on: SyntheticDevice("two"), named: "old", isSealed: false)
        #expect(try await server.dispatch(to: target).result == .dispatchError)
        #expect(try await server.dispatch(to: target, by: .link).result == .dispatched)
        #expect(server.link.parcels.last?.envelope.contentType == "application/json")
        #expect(try await server.dispatch(to: stage.target, by: .link).result == .dispatched)
        #expect(server.link.parcels.last?.envelope.contentType == "application/jose")
        let strict = try await OutOfBandStage { $0.outOfBand.requiresEncryption = true }
        let open = try await strict.server.addTarget(
            of: strict.user, on: SyntheticDevice("two"), named: "old", isSealed: false)
        #expect(try await strict.server.dispatch(to: open, by: .link).result == .dispatchError)
    }

    @Test("A push service that fails ends the operation with a typed result", arguments: DispatchFailure.allCases)
    func failure(failure: DispatchFailure) async throws {
        server.push.fail(failure)
        let answer = try await server.dispatch(to: stage.target)
        #expect(answer.result == (failure == .unregistered ? .dispatchTargetExpired : .dispatchError))
        #expect(answer.token == nil && answer.sessionID == nil)
        let parcel = try #require(server.push.parcels.last)
        #expect(await server.redeem(try stage.device.content(of: parcel).token).statusCode == .notFound)
        server.push.fail(nil)
        let again = try await server.dispatch(to: stage.target).result
        #expect(again == (failure == .unregistered ? .dispatchTargetExpired : .dispatched))
    }

    @Test("Without authorization, with a wrong one, and for another user nothing is dispatched")
    func authorization() async throws {
        let request = DispatchRequest(
            GetUAFRequest(AuthenticationContext(username: try server.name("jeff"))), dispatcher: .link)
        for stranger in [InitiatorAuthorization.absent, .invalid] {
            await #expect(throws: ServerError.unauthorized) {
                try await server.dispatch(request, for: .authentication, by: stranger)
            }
        }
        let eve = try await server.services.users.add(name: "eve")
        let grant = RequestAuthorization.Login(
            user: eve, methods: [.fidoUAF], evidence: .init(authenticatedAt: server.clock.now()))
        await #expect(throws: ServerError.forbidden) {
            try await server.dispatch(request, for: .authentication, by: .user(grant))
        }
        let own = RequestAuthorization.Login(
            user: stage.user, methods: [.password], evidence: .init(authenticatedAt: server.clock.now()))
        #expect(try await server.dispatch(request, for: .authentication, by: .user(own)).result == .dispatched)
    }

    @Test("A-2: A stolen password dispatches no registration beside the owner's phone; A-17: and no deregistration")
    func stolenPassword() async throws {
        let thief = InitiatorAuthorization.user(
            .init(user: stage.user, methods: [.password], evidence: .init(authenticatedAt: server.clock.now())))
        let owner = InitiatorAuthorization.user(
            .init(user: stage.user, methods: [.fidoUAF], evidence: .init(authenticatedAt: server.clock.now())))
        let registration = DispatchRequest(
            GetUAFRequest(RegistrationContext(username: stage.user.name)), dispatcher: .link)
        let deregistration = DispatchRequest(
            GetUAFRequest(DeregistrationContext(username: stage.user.name, scope: .everything)), dispatcher: .link)
        for (request, operation) in [(registration, OperationKind.registration), (deregistration, .deregistration)] {
            await #expect(throws: ServerError.forbidden) {
                try await server.dispatch(request, for: operation, by: thief)
            }
            #expect(try await server.dispatch(request, for: operation, by: owner).result == .dispatched)
        }
        let open = try await OutOfBandStage { $0.outOfBand.dispatchProtection = .none }
        await #expect(throws: ServerError.unauthorized) {
            try await open.server.dispatch(deregistration, for: .deregistration, by: .absent)
        }
    }

    @Test("A registration by link adds a phone; a deregistration by link removes the credentials with the redemption")
    func otherOperations() async throws {
        let new = try SyntheticAuthenticator()
        let known = try await TestServer(authenticators: [new])
        let anna = try await known.services.users.add(name: "anna")
        let registration = DispatchRequest(GetUAFRequest(RegistrationContext(username: anna.name)), dispatcher: .link)
        let answer = try await known.dispatch(registration, for: .registration)
        let request = await known.redeem(try #require(answer.token), for: .registration)
        #expect(try await known.status(answer.sessionID).status == .clientRegistering)
        guard case .registration(let message) = try TestServer.request(request) else { return }
        #expect(await known.answerRegistration(try known.client.answer(message, with: [new])) == .ok)
        #expect(try await known.status(answer.sessionID).status == .succeeded)
        let deregistration = DispatchRequest(
            GetUAFRequest(DeregistrationContext(username: anna.name, scope: .everything)), dispatcher: .link)
        let last = try await known.dispatch(deregistration, for: .deregistration)
        #expect(try await known.services.users.credentials(of: anna).count == 1)
        let removal = await known.redeem(try #require(last.token), for: .deregistration)
        #expect(removal.statusCode == .ok && removal.uafRequest != nil)
        #expect(try await known.services.users.credentials(of: anna).isEmpty)
        #expect(try await known.status(last.sessionID).status == .succeeded)
    }

    @Test("SRV-12: The text signed is the text dispatched; another text does not pass, and the code is accepted once")
    func dynamicLinking() async throws {
        let (answer, request) = try await stage.redeemed(transaction: "Pay 100 EUR to Anna")
        guard case .authentication(let message) = try TestServer.request(request) else { return }
        #expect(message.transactions.map(\.content) == [Array("Pay 100 EUR to Anna".utf8)])
        let changed = AuthenticationRequest(
            header: message.header, challenge: message.challenge,
            transactions: [Transaction(contentType: .plainText, content: Array("Pay 900 EUR to Eve".utf8))],
            policy: message.policy)
        let forged = try server.client.answer(changed, with: [stage.phone])
        #expect(await server.answerAuthentication(forged).message.statusCode == .unacceptableContent)
        #expect(try await server.status(answer.sessionID).status == .failed)
        let (good, again) = try await stage.redeemed(transaction: "Pay 100 EUR to Anna")
        #expect(try await server.answer(again, with: stage.phone).message.statusCode == .ok)
        #expect(try await server.status(good.sessionID).status == .succeeded)
        #expect(try await server.answer(again, with: stage.phone).message.statusCode == .requestInvalid)
    }

    @Test("A-21: Who reads an open link can redeem it and read the text, not confirm; the owner and the audit see it")
    func linkReader() async throws {
        let answer = try await server.dispatch(by: .link, transaction: "Pay 100 EUR")
        let parcel = try #require(server.link.parcels.last)
        let thiefsCopy = try stage.device.content(of: parcel).token
        let stolen = await server.redeem(thiefsCopy)
        #expect(stolen.statusCode == .ok)
        #expect(await server.redeem(try #require(answer.token)).statusCode == .requestInvalid)
        #expect(try await stage.lastKinds(1) == ["TOKEN_REDEEM_REFUSED"])
        let thief = try SyntheticAuthenticator()
        #expect(try await server.answer(stolen, with: thief).message.statusCode != .ok)
        #expect(try await server.status(answer.sessionID).status != .succeeded)
    }

    @Test("SRV-20: Who sends a token that is no longer good again and again fills no audit: ten have a record")
    func repeatedToken() async throws {
        let answer = try await server.dispatch(by: .link)
        let token = try #require(answer.token)
        #expect(await server.redeem(token).statusCode == .ok)
        let before = try await server.auditKinds().count
        for _ in 0..<30 { #expect(await server.redeem(token).statusCode == .requestInvalid) }
        let added = try await server.auditKinds().dropFirst(before)
        #expect(Array(added) == Array(repeating: "TOKEN_REDEEM_REFUSED", count: RefusalCounter.shownLimit))
    }

    @Test("A-9: A code that is shown to another person has run out after its short life")
    func stolenCode() async throws {
        _ = try await server.dispatch(nil, by: .link)
        let content = try stage.device.content(of: try #require(server.link.parcels.last))
        server.clock.advance(by: .seconds(120))
        #expect(await server.redeem(content.token).statusCode == .requestTimeout)
        #expect(try await server.dispatch(nil, by: .link).result == .dispatched)
    }

    @Test("The person denies and reports: the session fails and says so, the audit keeps it, and it counts")
    func report() async throws {
        for _ in 0..<2 {
            let (answer, request) = try await stage.redeemed()
            guard case .authentication(let message) = try TestServer.request(request) else { return }
            let response = SendUAFResponse(
                uafResponse: String(decoding: try server.client.answer(message, with: []), as: UTF8.self),
                context: ResponseContext(
                    asmStatus: .userCancelled, clientErrorCode: .userCancelled, isReported: true))
            let ended = try await server.services.authenticationResponses.acceptResponse(
                response, client: ClientContext())
            #expect(ended.message.statusCode == .unacceptableContent)
            let status = try await server.status(answer.sessionID)
            #expect(status.status == .failed && status.outcome.isReported)
            #expect(status.outcome.clientErrorCode == .userCancelled)
        }
        #expect(try await server.auditKinds().count { $0 == "OPERATION_REPORTED" } == 2)
        await #expect(throws: ServerError.self) { try await server.dispatch(to: stage.target) }
    }

    @Test("A token made without dispatch is redeemed like any other")
    func createdToken() async throws {
        let request = GetUAFRequest(AuthenticationContext(username: try server.name("jeff")))
        let created = try await server.services.outOfBand.createToken(
            request, for: .authentication, authorization: TestServer.portal, client: ClientContext())
        #expect(await server.redeem(created.token).statusCode == .ok)
        await #expect(throws: ServerError.unauthorized) {
            try await server.services.outOfBand.createToken(
                request, for: .authentication, authorization: .absent, client: ClientContext())
        }
    }

    @Test("A deregistration token has to name its user: one without a user would be refused when it is redeemed")
    func createdDeregistration() async throws {
        func create(for name: UserName?, _ initiator: InitiatorAuthorization) async throws -> CreatedToken {
            try await server.services.outOfBand.createToken(
                GetUAFRequest(DeregistrationContext(username: name, scope: .everything)), for: .deregistration,
                authorization: initiator, client: ClientContext())
        }
        await #expect(throws: ServerError.malformedRequest) { try await create(for: nil, try TestServer.portal) }
        await #expect(throws: ServerError.unauthorized) { try await create(for: nil, .absent) }
        let created = try await create(for: try server.name("jeff"), try TestServer.portal)
        #expect(await server.redeem(created.token, for: .deregistration).statusCode == .ok)
    }

    @Test("A request for another operation than the path names, or with an unreadable context, is malformed")
    func malformed() async throws {
        let request = DispatchRequest(
            GetUAFRequest(AuthenticationContext(username: try server.name("jeff"))), dispatcher: .link)
        await #expect(throws: ServerError.malformedRequest) {
            try await server.dispatch(request, for: .registration)
        }
        let unknownPolicy = DispatchRequest(
            GetUAFRequest(AuthenticationContext(username: try server.name("jeff"), policy: "none")), dispatcher: .link)
        await #expect(throws: ServerError.malformedRequest) {
            try await server.dispatch(unknownPolicy, for: .authentication)
        }
    }

    @Test("The server may die between any two statements: a token is redeemed never twice, a result never lost")
    func interruption() async throws {
        for statements in 0..<25 {
            let stage = try await OutOfBandStage()
            let answer = try await stage.server.dispatch(to: stage.target)
            let token = try #require(answer.token)
            stage.server.database.set { $0.statementsLeft = statements }
            let first = await stage.server.redeem(token)
            stage.server.database.set { $0.statementsLeft = nil }
            let second = await stage.server.redeem(token)
            #expect(!(first.statusCode == .ok && second.statusCode == .ok))
            #expect(first.statusCode == .ok || second.statusCode == .ok)
        }
    }
}
