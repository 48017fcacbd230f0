import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

/// A server, the user `jeff` with a registered authenticator, and a device with a target.
struct OutOfBandStage {
    let phone: SyntheticAuthenticator
    let device: SyntheticDevice
    let server: TestServer
    let user: User
    let target: String

    init(
        pause: any Pause = SystemPause(), store: TestServer.Store = .memory,
        processes: ProcessPorts = ProcessPorts(), change: (inout ServerSettings) throws -> Void = { _ in }
    ) async throws {
        phone = try SyntheticAuthenticator()
        device = try SyntheticDevice()
        server = try await TestServer(
            authenticators: [phone], store: store, pause: pause, processes: processes
        ) { settings in
            settings.outOfBand.linking.push = .none
            settings.outOfBand.limits.pushes = 1000
            settings.outOfBand.limits.backOff.firstWait = .zero
            try change(&settings)
        }
        user = try await server.services.users.add(name: "jeff", externalID: "jeff-ext")
        try await server.register(phone, for: user)
        target = try await server.addTarget(of: user, on: device)
    }

    private init(_ stage: OutOfBandStage, on server: TestServer) {
        (phone, device, user, target) = (stage.phone, stage.device, stage.user, stage.target)
        self.server = server
    }

    /// The same user and device on another server, which works on the same database.
    func besideAnotherServer(
        pause: any Pause = SystemPause(), processes: ProcessPorts = ProcessPorts()
    ) async throws -> OutOfBandStage {
        OutOfBandStage(
            self,
            on: try await TestServer(
                authenticators: [phone], store: .of(server), pause: pause, processes: processes))
    }

    /// Dispatches to the device and redeems there.
    func redeemed(transaction: String? = nil) async throws -> (DispatchAnswer, ReturnUAFRequest) {
        let answer = try await server.dispatch(to: target, transaction: transaction)
        return (answer, await server.redeem(try #require(answer.token)))
    }

    /// The last kinds of the audit.
    func lastKinds(_ count: Int) async throws -> [String] { try await server.auditKinds().suffix(count) }
}
