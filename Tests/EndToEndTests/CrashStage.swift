import BackendTransport
import CommandSupport
import DemoCommands
import DeviceCommands
import Foundation
import MobileAuthentication
import Testing

/// A server process that dies and comes back, and phones of this process that talk to it.
final class CrashStage {
    private let installation: Installation
    private var process: ChildProcess
    private var folder = ""

    init(user: String) async throws {
        installation = try Installation(settings: "authorization: { registration: none, max-credentials: 100 }\n")
        process = try await installation.server.start()
        try await installation.server.addUser(user, password: Installation.password)
    }

    deinit { process.kill() }

    /// Makes a new phone; from now on it is the phone.
    func makePhone(_ name: String) async throws {
        folder = installation.scratch.url.appending(path: name).path()
        try await VirtualDevice.create(inDirectory: folder, DeviceSettings(.ios, keys: .software))
    }

    /// The phone, switched on; with an exchange it kills the server in it.
    func phone(dyingIn exchange: Int? = nil, _ moment: DyingServer.Moment = .beforeMessage) async throws
        -> VirtualDevice
    {
        let way = try installation.server.transport()
        var surroundings = VirtualDevice.Surroundings()
        surroundings.transport =
            exchange.map { DyingServer(over: way, to: process, dyingIn: $0, moment) } ?? way
        let address = try #require(URL(string: installation.server.address + "/nevisfido"))
        return try await VirtualDevice.open(
            inDirectory: folder, configuration: Configuration(baseUrl: address), surroundings: surroundings)
    }

    /// Starts the server again on what the last one left.
    func revive() async throws {
        _ = await process.ending()
        process = try await installation.server.start()
    }

    func end() async {
        process.kill()
        _ = await process.ending()
    }
}
