import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Out of band: only what is signed counts against a person (SRV-5)")
struct UnsignedEventTests {
    private let stage: OutOfBandStage

    init() async throws {
        stage = try await OutOfBandStage()
    }

    private var server: TestServer { stage.server }

    private func client(_ address: String) -> ClientContext { ClientContext(address: address) }

    /// Redeems a link that was begun in the user's name and says that it was not them; returns the session.
    private func strangersReport(from address: String = "198.51.100.7") async throws -> String? {
        let answer = try await server.dispatch(by: .link)
        let request = await server.redeem(try #require(answer.token), from: client(address))
        guard request.statusCode == .ok else { return nil }
        #expect(try await server.report(request, from: client(address)) == .unacceptableContent)
        return answer.sessionID
    }

    @Test("S-H2: Reports by the one who redeems a link end their operations, and refuse no portal and no user")
    func strangers() async throws {
        for _ in 0..<4 {
            let status = try await server.status(try await strangersReport())
            #expect(status.status == .failed && status.outcome.isReported)
        }
        #expect(try await server.dispatch(to: stage.target).result == .dispatched)
        #expect(try await server.dispatch(by: .link).result == .dispatched)
        let other = InitiatorAuthorization.accessKey(try #require(AccessKeyName("other")))
        let request = DispatchRequest(
            GetUAFRequest(AuthenticationContext(username: stage.user.name)), dispatcher: .link)
        #expect(try await server.dispatch(request, for: .authentication, by: other).result == .dispatched)
        #expect(try await server.auditTexts().count { $0.contains("unsigned") } == 4)
    }

    @Test("S-H2: Reports of the device that a payload was sealed for stop pushes; what the user asks for goes on")
    func device() async throws {
        for _ in 0..<2 {
            let (_, request) = try await stage.redeemed()
            #expect(try await server.report(request) == .unacceptableContent)
        }
        #expect(try await server.auditKinds().count { $0 == "USER_THROTTLED" } == 1)
        await #expect(throws: ServerError.self) { try await server.dispatch(to: stage.target) }
        #expect(try await server.dispatch(by: .link).result == .dispatched)
        server.clock.advance(by: .seconds(601))
        #expect(try await server.dispatch(to: stage.target).result == .dispatched)
    }

    @Test(
        "S-H2: A caller who begins an operation without an access key knows its token, and cannot pass for the device")
    func anonymousInitiator() async throws {
        let open = try await OutOfBandStage { $0.outOfBand.dispatchProtection = .none }
        let request = DispatchRequest(
            GetUAFRequest(AuthenticationContext(username: open.user.name)), dispatchTargetID: open.target)
        for _ in 0..<3 {
            let answer = try await open.server.dispatch(request, for: .authentication, by: .absent)
            let redeemed = await open.server.redeem(try #require(answer.token))
            #expect(try await open.server.report(redeemed) == .unacceptableContent)
        }
        #expect(try await open.server.dispatch(to: open.target).result == .dispatched)
    }

    @Test("S-H2: Wrong digits under a stranger's new key end a registration and do not lock the user out")
    func strangersDigits() async throws {
        let typed = try await OutOfBandStage { $0.outOfBand.linking.scan = .typed }
        let registration = DispatchRequest(
            GetUAFRequest(RegistrationContext(username: typed.user.name)), dispatcher: .link)
        for _ in 0..<4 {
            let answer = try await typed.server.dispatch(registration, for: .registration)
            let right = try #require(answer.channelLinking?.digits)
            let redeemed = await typed.server.redeem(try #require(answer.token), for: .registration)
            guard case .registration(let message) = try TestServer.request(redeemed) else { return }
            let response = SendUAFResponse(
                uafResponse: String(
                    decoding: try typed.server.client.answer(message, with: [SyntheticAuthenticator()]), as: UTF8.self),
                context: ResponseContext(linkingDigits: right == "00" ? "01" : "00"))
            let answered = try await typed.server.services.registrationResponses.acceptResponse(
                response, client: ClientContext())
            #expect(answered.message.statusCode == .unacceptableContent)
            #expect(try await typed.server.status(answer.sessionID).status == .failed)
        }
        #expect(try await typed.server.auditKinds().count { $0 == "CHANNEL_NOT_LINKED" } == 4)
        #expect(try await !typed.server.auditKinds().contains("USER_THROTTLED"))
        #expect(try await typed.server.dispatch(to: typed.target).result == .dispatched)
    }

    @Test("SA-2: Reports from an address stop no phone behind it: not a code, a sealed push or an invitation")
    func address() async throws {
        for _ in 0..<20 { #expect(try await strangersReport() != nil) }
        let invitation = DispatchRequest(
            GetUAFRequest(RegistrationContext(username: stage.user.name)), dispatcher: .link)
        let honest: [(OperationKind, DispatchAnswer)] = [
            (.authentication, try await server.dispatch(nil, by: .link)),
            (.authentication, try await server.dispatch(to: stage.target)),
            (.registration, try await server.dispatch(invitation, for: .registration)),
        ]
        for (operation, answer) in honest {
            let token = try #require(answer.token)
            #expect(await server.redeem(token, for: operation, from: client("198.51.100.7")).statusCode == .ok)
        }
    }
}
