import BackendAPI
import Foundation
import MobileAuthentication
import MobileAuthenticationTestKit
import SignetCommands
import VirtualDevice

/// A server and a push service as processes, a portal that dispatches, and phones of this process: the SDK itself.
final class OutOfBandStage: Sendable {
    /// The phones that a server of the development profile lets in.
    private static let family = DeviceFamily.ios

    let installation: Installation
    let sink: LocalPushSink
    let portal: Portal
    private let server: ChildProcess
    private let scratch: SignetCommands.TemporaryFolder

    /// Starts everything, and adds users without phones; `settings` are further lines of the section `out-of-band`.
    init(users: [String], settings: [String] = []) async throws {
        scratch = try SignetCommands.TemporaryFolder(named: "signet-out-of-band")
        let keyFile = scratch.url.appending(path: "portal.key")
        try Data(Portal.accessKey.utf8).write(to: keyFile)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyFile.path())
        let programs = try Installation.builtPrograms()
        sink = try await LocalPushSink(program: programs.server, folder: scratch.url.appending(path: "push-sink"))
        installation = try Installation(
            settings: Self.settings(sink, keyFile: keyFile) + settings.map { "  \($0)\n" }.joined())
        server = try await installation.server.start()
        for user in users { try await installation.server.addUser(user, password: Installation.password) }
        portal = Portal(at: installation.server.address, over: try installation.server.transport())
    }

    deinit { server.kill() }

    /// Makes a new phone, or with the name of one that was let go of switches it on again.
    func phone(_ name: String = "phone", clock: (any MobileAuthentication.WallClock)? = nil) async throws
        -> OutOfBandPhone
    {
        let folder = installation.scratch.url.appending(path: name).path()
        if !FileManager.default.fileExists(atPath: folder) {
            try await VirtualDevice.create(inDirectory: folder, DeviceSettings(Self.family, keys: .software))
        }
        var surroundings = VirtualDevice.Surroundings()
        surroundings.transport = try installation.server.transport()
        surroundings.wallClock = clock
        let configuration = Configuration(idSuiteHostname: "127.0.0.1:\(installation.server.port)")
        return OutOfBandPhone(
            device: try await VirtualDevice.open(
                inDirectory: folder, configuration: configuration, surroundings: surroundings))
    }

    /// Makes a phone and registers it for a user by a QR code; returns it with the name of its record at the server.
    func registered(
        _ user: String, _ phoneName: String = "phone", push token: String? = nil
    ) async throws -> (phone: OutOfBandPhone, target: String) {
        let phone = try await phone(phoneName)
        let code = try await portal.register(user, by: .pngQRCode).scanned()
        try await phone.register(
            scanning: code, DeviceInformation(name: phoneName, fcmRegistrationToken: token),
            by: ScriptedUser(pin: Installation.pin))
        return (phone, try phone.target(of: user))
    }

    private static func settings(_ sink: LocalPushSink, keyFile: URL) -> String {
        """
        fido-uaf:
          dispatchers:
            - \(sink.dispatcher)
            - { type: link, base-url: "signet://open" }
            - { type: link-png-qr-code, link-base-url: "signet://open" }
            - { type: png-qr-code }
        out-of-band:
          access-keys: [{ name: portal, key-file: \(keyFile.path()) }]

        """
    }
}
