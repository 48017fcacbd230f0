import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

/// A password is good for the first key and the first phone of a user.
///
/// In each test the user gets a key by another server on the same database after the password was found good enough, and
/// before anything is written on the strength of it.
@Suite("S-M3: A password that was good for the first key is not good for a second one")
struct FirstKeyRaceTests {
    private let stage: OutOfBandStage
    private let other: OutOfBandStage
    private let eve: User
    private let phone: SyntheticAuthenticator
    private let thief: SyntheticAuthenticator

    init() async throws {
        stage = try await OutOfBandStage()
        other = try await stage.besideAnotherServer()
        eve = try await stage.server.services.users.add(name: "eve")
        phone = try SyntheticAuthenticator()
        thief = try SyntheticAuthenticator()
    }

    /// Registers a phone of a user, and switches its key off where `isDisabled`.
    private func register(_ phone: SyntheticAuthenticator, for user: User, isDisabled: Bool = false) async throws {
        let status = try await other.server.register(phone, for: user)
        #expect(status == .ok)
        guard isDisabled else { return }
        let key = try #require(phone.credential)
        try await other.server.services.users.setStatus(.disabled, of: [key], ofUserNamed: user.name.text)
    }

    /// Lets a phone be registered before the next transaction of the server.
    private func interrupt(
        registering phone: SyntheticAuthenticator, for user: User, isDisabled: Bool = false
    ) {
        stage.server.database.set { faults in
            faults.beforeTransaction = {
                do { try await register(phone, for: user, isDisabled: isDisabled) } catch {
                    Issue.record("the interruption failed: \(error)")
                }
            }
        }
    }

    private func createTarget(_ methods: Set<AuthenticationMethod>) async throws -> ServerError? {
        let device = try SyntheticDevice("org.signet.demo#2")
        let creation = try device.creation(of: device.target(named: "Another"), at: TestServer.origin)
        do throws(ServerError) {
            _ = try await stage.server.services.targets.create(
                creation, authorization: stage.server.grant(eve, methods), client: ClientContext())
            return nil
        } catch {
            return error
        }
    }

    private func isRegistered(_ authenticator: SyntheticAuthenticator) async throws -> Bool {
        let id = try #require(authenticator.credential)
        return try await stage.server.storage.credentials.credential(id) != nil
    }

    @Test(
        "S-M3: No dispatch target is made by a password when a key is registered just before the write",
        arguments: [false, true])
    func target(isDisabled: Bool) async throws {
        interrupt(registering: phone, for: eve, isDisabled: isDisabled)
        #expect(try await createTarget([.password]) == .unauthorized)
        #expect(try await stage.server.storage.targets.targets(of: eve.id).isEmpty)
    }

    @Test("S-M3: A login with a phone, and a password where nothing comes in between, make a target")
    func soundTarget() async throws {
        #expect(try await createTarget([.password]) == nil)
        interrupt(registering: phone, for: eve)
        #expect(try await createTarget([.fidoUAF]) == .targetNameInUse)
    }

    @Test("S-M3: A registration begun by a password is not completed after another one, nor at the same moment")
    func registration() async throws {
        for isLate in [true, false] {
            let key = try SyntheticAuthenticator()
            let user = try await stage.server.services.users.add(name: isLate ? "late" : "soon")
            let request = try await stage.server.registrationRequest(for: user, [.password])
            let answer = try stage.server.client.answer(request, with: [thief])
            if isLate { try await register(key, for: user) } else { interrupt(registering: key, for: user) }
            #expect(await stage.server.answerRegistration(answer) == .unauthorized)
            #expect(try await !isRegistered(thief))
            #expect(try await isRegistered(key))
        }
    }

    @Test("S-M3: A registration begun by a password is completed when nothing comes in between")
    func soundRegistration() async throws {
        let request = try await stage.server.registrationRequest(for: eve, [.password])
        #expect(await stage.server.answerRegistration(try stage.server.client.answer(request, with: [thief])) == .ok)
        #expect(try await isRegistered(thief))
    }

    @Test("S-M3: A registration dispatched by a password is not redeemed, or not completed, after another one")
    func dispatched() async throws {
        for isRedeemedBefore in [false, true] {
            let user = try await stage.server.services.users.add(name: isRedeemedBefore ? "late" : "soon")
            let evidence = RequestAuthorization.Evidence(authenticatedAt: stage.server.clock.now() + .seconds(1))
            let answer = try await stage.server.dispatch(
                DispatchRequest(GetUAFRequest(RegistrationContext(username: user.name)), dispatcher: .link),
                for: .registration, by: .user(.init(user: user, methods: [.password], evidence: evidence)))
            let token = try #require(answer.token)
            let key = try SyntheticAuthenticator()
            guard isRedeemedBefore else {
                try await register(key, for: user)
                let redeemed = await stage.server.redeem(token, for: .registration)
                #expect(redeemed.statusCode == .unauthorized && redeemed.uafRequest == nil)
                continue
            }
            let redeemed = await stage.server.redeem(token, for: .registration)
            guard case .registration(let request) = try TestServer.request(redeemed) else {
                throw TestServer.Failure.setUp
            }
            try await register(key, for: user)
            let answered = await stage.server.answerRegistration(
                try stage.server.client.answer(request, with: [thief]))
            #expect(answered == .unauthorized)
            #expect(try await !isRegistered(thief))
        }
    }

    @Test("S-M3: What a login rests on is read back as it was stored, and nothing else is read")
    func storedForm() throws {
        let ids = (1...4).compactMap { RegistrationID([UInt8](repeating: $0, count: RegistrationID.byteCount)) }
        for evidence in [
            RequestAuthorization.Evidence(authenticatedAt: Timestamp(seconds: 5)),
            .init(authenticatedAt: Timestamp(seconds: 5), isForFirstKey: true),
            .init(authenticatedAt: Timestamp(seconds: 5), registrations: ids),
            .init(authenticatedAt: Timestamp(seconds: 5), registrations: ids, isForFirstKey: true),
        ] {
            #expect(RequestAuthorization.Evidence(stored: evidence.octets) == evidence)
            #expect(RequestAuthorization.Evidence(stored: evidence.octets + [2, 2]) == nil)
        }
        let plain = RequestAuthorization.Evidence(authenticatedAt: Timestamp(seconds: 5)).octets
        for octets in [[], [1], Array(plain.dropLast()), plain + [0], plain + [4], plain + [1, 1]] {
            #expect(RequestAuthorization.Evidence(stored: octets) == nil, "\(octets)")
        }
    }
}
