import BackendAPI
import BackendTransport
import BackendTransportLinux
import CommandSupport
import DemoCommands
import DeviceCommands
import Foundation
import MobileAuthentication
import MobileAuthenticationTestKit
import Synchronization

/// A server and a push service as processes, a portal that dispatches, and phones of this process: the SDK itself.
final class OutOfBandStage: Sendable {
    /// The phones that a server of the development profile lets in.
    private static let family = DeviceFamily.ios

    let installation: Installation
    let sink: LocalPushSink
    let portal: Portal
    private let server: Mutex<ChildProcess>
    /// What the portal and the push service keep.
    let scratch: CommandSupport.TemporaryFolder

    /// Starts everything, and adds users without phones.
    ///
    /// `settings` are further lines of the section `out-of-band`, `further` lines of the whole configuration.
    init(
        users: [String], settings: [String] = [], responseTimeout: String = "480s", further: String = ""
    ) async throws {
        scratch = try CommandSupport.TemporaryFolder(named: "signet-out-of-band")
        let keyFile = scratch.url.appending(path: "portal.key")
        try Data(Portal.accessKey.utf8).write(to: keyFile)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyFile.path())
        let programs = try Installation.builtPrograms()
        sink = try await LocalPushSink(program: programs.pushSink, folder: scratch.url.appending(path: "push-sink"))
        installation = try Installation(
            settings: Self.settings(sink, keyFile: keyFile, responseTimeout) + settings.map { "  \($0)\n" }.joined()
                + further)
        server = Mutex(try await installation.server.start())
        for user in users { try await installation.server.addUser(user, password: Installation.password) }
        portal = Portal(at: installation.server.address, over: try installation.server.transport())
    }

    deinit { server.withLock { $0.kill() } }

    /// Stops the server.
    func stop() async {
        let process = server.withLock { $0 }
        process.stop()
        _ = await process.ending()
    }

    /// Starts the server again on what one that was killed has left.
    func revive() async throws {
        _ = await server.withLock { $0 }.ending()
        let next = try await installation.server.start()
        server.withLock { $0 = next }
    }

    // MARK: - Phones

    /// What is special about a phone or the way to its server.
    struct PhoneTraits {
        /// The base address and the paths of the server; nil for the paths of an Identity Suite.
        var configuration: Configuration?
        /// The time of day; nil for the true one.
        var clock: (any CivilClock)?
        /// The exchange, counted from 1, in which the server is killed; nil for none.
        var dyingIn: (exchange: Int, moment: DyingServer.Moment)?
        /// Further servers that the phone trusts.
        var others: [OutOfBandStage] = []
        /// Where the phone is kept, when another stage has made it; nil for here.
        var keeper: OutOfBandStage?
        /// Who takes the messages of the SDK.
        var logger: (any SDKLogger)?
        /// What stands between the phone and its network.
        var carrier: @Sendable (any HTTPTransport) -> any HTTPTransport = { $0 }
    }

    /// Makes a new phone, or with the name of one that was let go of switches it on again.
    func phone(_ name: String = "phone", _ traits: PhoneTraits = PhoneTraits()) async throws -> OutOfBandPhone {
        let keeper = traits.keeper ?? self
        let folder = keeper.installation.scratch.url.appending(path: name).path()
        if !FileManager.default.fileExists(atPath: folder) {
            try await VirtualDevice.create(inDirectory: folder, DeviceSettings(Self.family, keys: .software))
        }
        var surroundings = VirtualDevice.Surroundings()
        surroundings.transport = try way(traits)
        surroundings.civilClock = traits.clock
        surroundings.logger = traits.logger
        let configuration =
            traits.configuration ?? Configuration(idSuiteHostname: "127.0.0.1:\(installation.server.port)")
        return OutOfBandPhone(
            device: try await VirtualDevice.open(
                inDirectory: folder, configuration: configuration, surroundings: surroundings))
    }

    private func way(_ traits: PhoneTraits) throws -> any HTTPTransport {
        let authorities = try ([self] + traits.others).flatMap { stage in
            try TransportTrust.certificates(inPEM: Array(Data(contentsOf: stage.installation.server.authorityFile)))
        }
        let trust = TransportTrust(additionalCertificates: authorities)
        let way = AsyncHTTPClientTransport(trust: trust) { Int64(Date().timeIntervalSince1970) }
        guard let (exchange, moment) = traits.dyingIn else { return traits.carrier(way) }
        return DyingServer(over: way, to: server.withLock { $0 }, dyingIn: exchange, moment)
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

    private static func settings(_ sink: LocalPushSink, keyFile: URL, _ responseTimeout: String) -> String {
        """
        fido-uaf:
          timeouts: { response: \(responseTimeout) }
          dispatchers:
            - \(sink.dispatcher)
            - { type: link, base-url: "signet://open" }
            - { type: link-png-qr-code, link-base-url: "signet://open" }
            - { type: png-qr-code }
        out-of-band:
          access-keys: [{ name: portal, key-file: \(keyFile.path()), scopes: \(Portal.scopes) }]

        """
    }
}
