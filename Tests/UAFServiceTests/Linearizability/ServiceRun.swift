import BackendAPI
import Linearizability
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

/// Clients that work on the services of two servers with one database at the same time; every answer is recorded.
struct ServiceRun {
    private static let password = "correct horse"
    /// Longer than any run, in nanoseconds: the clock of the servers stands still.
    private static let window: Int64 = 3_600_000_000_000
    private static let failureLimit = 5

    private let opened: OpenedDatabase
    private let stage: OutOfBandStage
    private let servers: [TestServer]

    /// Starts two servers on a new database of a kind.
    init(_ kind: StoredDatabase) async throws {
        opened = try kind.empty()
        stage = try await OutOfBandStage(store: .empty(opened.database), change: Self.change)
        let second = try await TestServer(authenticators: [stage.phone], store: .of(stage.server)) { settings in
            Self.change(&settings)
            settings.instanceName = "second"
        }
        servers = [stage.server, second]
    }

    private static func change(_ settings: inout ServerSettings) {
        var login = PasswordLoginSettings()
        login.cost = .cheapest
        login.failureLimit = failureLimit
        login.failureLimitPerName = 10_000
        login.failureLimitPerAddress = 100_000
        settings.passwordLogin = login
        settings.outOfBand.limits.hasOnePending = false
    }

    /// The database of both.
    var database: FaultyDatabase { stage.server.database }

    /// Lets six clients work, half of them at each server.
    private func all(_ body: @escaping @Sendable (TestServer, Int) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<6 {
                let server = servers[client % servers.count]
                group.addTask { try await body(server, client) }
            }
            try await group.waitForAll()
        }
    }

    // MARK: - Objects

    /// Signs with one key and counters of which several are the same.
    func counter(rounds: Int) async throws -> LinearizabilityReport {
        let recorder = HistoryRecorder<SignatureCounterModel>()
        var phone = try SyntheticAuthenticator()
        phone.counters = Counters(signatures: 1, registrations: 1)
        try #require(try await stage.server.register(phone, for: stage.user) == .ok)
        for round in 0..<rounds {
            let key = phone
            try await all { server, client in
                var signer = key
                let counter = UInt32(2 + 2 * round + client % 3)
                signer.counters = Counters(signatures: counter, registrations: 1)
                let request = try await server.authenticationRequest(for: "jeff")
                let message = try server.client.answer(request, with: [signer])
                await recorder.perform(.init(counter), on: "key", by: "client \(client)") {
                    Self.decision(await server.answerAuthentication(message).message.statusCode)
                }
            }
        }
        return recorder.report("counter") { _ in SignatureCounterModel(startingAt: 1) }
    }

    /// Redeems tokens, each at the same time and once more; between the two `pause` may happen.
    func tokens(rounds: Int, pause: @Sendable (Int) -> Void = { _ in }) async throws -> LinearizabilityReport {
        let recorder = HistoryRecorder<SingleUseTokenModel>()
        for round in 0..<rounds {
            let token = try #require(try await servers[round % 2].dispatch(by: .link).token)
            let redeem: @Sendable (TestServer, Int) async -> Void = { server, client in
                await recorder.perform(.redeem, on: "\(round)", by: "client \(client)") {
                    Self.decision(await server.redeem(token).statusCode)
                }
            }
            try await all { server, client in await redeem(server, client) }
            pause(round)
            await redeem(servers[0], 6)
        }
        return recorder.report("token") { _ in SingleUseTokenModel() }
    }

    /// Presents signed requests of a device, each at the same time and once more.
    func signedRequests(rounds: Int) async throws -> LinearizabilityReport {
        let recorder = HistoryRecorder<ReplayCacheModel>()
        let device = stage.device
        for round in 0..<rounds {
            let name = "request-\(round)"
            let claims = stage.server.claims(
                stage.target, .deviceCredentials, naming: device.id.text, requestID: name)
            let token = try device.signed(DeviceRequest(claims))
            let present: @Sendable (TestServer, Int) async -> Void = { server, client in
                await recorder.perform(.present, on: name, by: "client \(client)") {
                    do throws(ServerError) {
                        _ = try await server.services.devices.credentials(
                            of: device.id.text, signed: token, client: ClientContext())
                        return .accepted
                    } catch {
                        return error == .requestReplayed ? .refused : nil
                    }
                }
            }
            try await all { server, client in await present(server, client) }
            await present(servers[0], 6)
        }
        return recorder.report("replay cache") { _ in ReplayCacheModel() }
    }

    /// Logs in under new names, most of the time with a wrong password.
    func logins(rounds: Int) async throws -> LinearizabilityReport {
        let recorder = HistoryRecorder<LockModel>()
        for round in 0..<rounds {
            let name = "user\(round)"
            _ = try await stage.server.services.users.add(name: name, password: Self.password)
            for turn in 0..<3 {
                try await all { server, client in
                    let isRight = turn == 0 && client == round % 6
                    let logins = try #require(server.services.passwordLogin)
                    await recorder.logIn(on: name, by: "client \(client)", rightly: isRight) {
                        await Self.logIn(name, isRight ? Self.password : "wrong", logins)
                    }
                }
            }
        }
        return recorder.report("lock") { _ in LockModel(limit: Self.failureLimit, window: Self.window) }
    }

    // MARK: - Answers

    /// Decision that a status stands for; nil when it leaves open whether anything took effect.
    private static func decision(_ status: StatusCode) -> Decision? {
        if status == .ok { return .accepted }
        return status == .internalServerError || status == .requestTimeout ? nil : .refused
    }

    private static func logIn(_ name: String, _ password: String, _ logins: PasswordLoginService) async -> LoginResult?
    {
        do throws(ServerError) {
            _ = try await logins.logIn(name: name, password: password, client: ClientContext(address: "192.0.2.1"))
            return .accepted
        } catch {
            return switch error {
            case .unauthorized: .refused
            case .throttled: .locked
            default: nil
            }
        }
    }
}
