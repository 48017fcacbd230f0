import CommandSupport
import DemoCommands
import Foundation
import MobileAuthentication
import MobileAuthenticationTestKit
import Testing

/// Server as a process, and phones that reach it past an attacker.
struct AttackStage {
    let installation: Installation
    private let process: ChildProcess

    /// Starts a server with users; every user may register with it unless `settings` say otherwise.
    init(users: [String] = ["anna"], settings: String = "authorization: {registration: none}\n") async throws {
        installation = try Installation(settings: settings)
        process = try await installation.server.start()
        for user in users { try await installation.server.addUser(user, password: Installation.password) }
    }

    /// Ends the server.
    func end() { process.kill() }

    /// Address of the services.
    var address: URL {
        get throws { try #require(URL(string: installation.server.address + "/nevisfido")) }
    }

    /// Makes a phone of an application, which may trust the servers of other stages as well.
    func phone(
        _ application: String = "org.signet.demo", trusting others: [AttackStage] = []
    ) async throws -> AttackedPhone {
        var configuration = Configuration(baseUrl: try address)
        configuration.additionalTrustedCertificates = try ([self] + others).flatMap {
            try $0.installation.authorities()
        }
        let middleman = Middleman(try NetworkTransport(for: configuration))
        let phone = try await TestPhone(
            configuration, over: middleman, TestPhone.Traits(profile: .iOS, application: application))
        return AttackedPhone(phone: phone, middleman: middleman)
    }

    /// Number of the audit records of a kind.
    func auditCount(_ kind: String) async throws -> Int {
        try await installation.server.exportedAudit().count { $0.contains("\"event\":\"\(kind)\"") }
    }
}

/// Phone with the SDK and a user, whose network leads past an attacker.
struct AttackedPhone {
    let phone: TestPhone
    let middleman: Middleman
    let user = ScriptedUser(authenticator: .Pin)

    /// Registers the PIN of a user, with the server of the configuration or another one.
    func register(_ name: String, at server: URL? = nil) async throws {
        let operation = phone.client.operations.registration.username(name)
            .deviceInformation(DeviceInformation(name: "phone")).authenticatorSelector(user).pinEnroller(user)
        if let server { operation.serverUrl(server) }
        try await operation.perform()
    }

    /// Signs a user in.
    @discardableResult
    func authenticate(_ name: String) async throws -> (any AuthorizationProvider)? {
        try await phone.client.operations.authentication.username(name).authenticatorSelector(user)
            .pinUserVerifier(user).perform()
    }

    /// Lets the user sign, keeps the response and tells the phone that the network is gone.
    func capturedAuthentication(of name: String) async throws -> CapturedResponse {
        middleman.begin { request, way in
            guard request.carriesResponse else { return try await way(request) }
            throw TestNetworkError.noConnection
        }
        defer { middleman.end() }
        await #expect(throws: AuthenticationError.self) { try await authenticate(name) }
        return try CapturedResponse(try #require(middleman.requests.last { $0.carriesResponse }))
    }

    /// UAF status with which the server has refused a sign-in; nil when something else came of it.
    func refusal(of name: String) async -> ServerStatus? {
        do {
            try await authenticate(name)
            return nil
        } catch {
            return (error as? AuthenticationError)?.cause as? ServerStatus
        }
    }
}
