import ArgumentParser
import BackendTransport
import Foundation
import MobileAuthentication
import StrictJSON
import VirtualDevice

/// A phone that is switched on: its folder is locked, its SDK runs.
struct Phone {
    /// Where it lives.
    let folder: PhoneFolder
    /// What `init` fixed.
    let settings: PhoneSettings
    /// Where the server is for this command.
    let server: URL
    /// The device with its SDK.
    let device: VirtualDevice
    /// What the SDK talks through.
    let transport: any HTTPTransport
    /// What kept the machine from verifying its user.
    let verification: PhoneVerification

    /// The SDK.
    var client: any MobileAuthenticationClient { device.client }

    /// Switches on the phone in a folder, lends it to `body` and switches it off; the folder is locked meanwhile.
    ///
    /// `network` may name another server and a folder for recordings; `verification` is how the machine verifies its user;
    /// `carrier` may put something between the phone and its network.
    static func use<Value>(
        _ folder: PhoneFolder, _ network: NetworkOptions? = nil, _ verification: PhoneVerification? = nil,
        carrier: (any HTTPTransport) -> any HTTPTransport = { $0 }, _ body: (Phone) async throws -> Value
    ) async throws -> Value {
        let settings = try folder.settings()
        let server = try address(network?.server ?? settings.server)
        let configuration = configuration(
            for: server, trusting: try authorities(settings, network),
            within: network?.networkTimeout ?? NetworkOptions.standardTimeout)
        let transport = carrier(try transport(for: configuration, recording: network?.record))
        let verification = verification ?? PhoneVerification()
        var surroundings = try verification.surroundings()
        surroundings.transport = transport
        let device = try await VirtualDevice.open(
            inDirectory: folder.path, configuration: configuration, surroundings: surroundings)
        // The device unlocks its folder when it goes.
        defer { withExtendedLifetime(device) {} }
        do {
            return try await body(
                Phone(
                    folder: folder, settings: settings, server: server, device: device, transport: transport,
                    verification: verification))
        } catch {
            throw CommandFailure(reporting: error).naming(server)
        }
    }

    /// An absolute `https` address.
    static func address(_ text: String) throws(CommandFailure) -> URL {
        guard let url = URL(string: text), url.scheme?.lowercased() == "https", url.host()?.isEmpty == false else {
            throw .local("BadServer", "the server's address must begin with https:// and name a host: \(text)")
        }
        return url
    }

    /// The paths of an identity suite on any host and port.
    private static func configuration(
        for server: URL, trusting authorities: [Data], within seconds: Int
    ) -> Configuration {
        let suite = Configuration(idSuiteHostname: "localhost")
        var configuration = Configuration(
            baseUrl: server, registrationRequestPath: suite.registrationRequestPath,
            registrationResponsePath: suite.registrationResponsePath,
            authenticationRequestPath: suite.authenticationRequestPath,
            authenticationResponsePath: suite.authenticationResponsePath,
            deregistrationRequestPath: suite.deregistrationRequestPath,
            dispatchTargetResourcePath: suite.dispatchTargetResourcePath, deviceResourcePath: suite.deviceResourcePath,
            networkTimeoutInSeconds: TimeInterval(seconds))
        configuration.additionalTrustedCertificates = authorities
        return configuration
    }

    private static func authorities(_ settings: PhoneSettings, _ network: NetworkOptions?) throws -> [Data] {
        let texts = [settings.authorities.map { Array($0.utf8) }, try network?.ca.map { try AuthorityFile.read($0) }]
        return try texts.compactMap(\.self).flatMap { try TransportTrust.certificates(inPEM: $0) }.map { Data($0) }
    }

    private static func transport(
        for configuration: Configuration, recording folder: String?
    ) throws -> any HTTPTransport {
        let transport = try PlatformTransport.make(for: configuration)
        guard let folder else { return transport }
        return RecordingTransport(transport, intoFolderAt: folder)
    }
}

extension CommandFailure {
    /// The failure with the address of the server, where it is about not reaching one.
    fileprivate func naming(_ server: URL) -> CommandFailure {
        guard code == "NetworkError" else { return self }
        var failure = self
        failure.message += " (\(server.absoluteString))"
        return failure
    }
}

/// The options that every command of a phone takes.
struct PhoneOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder that is the phone.", valueName: "DIR"))
    var device: String

    @Option(help: "How the outcome is told: text or json.")
    var format = OutputFormat.text

    /// The folder of the phone.
    var folder: PhoneFolder { PhoneFolder(path: device) }

    /// Runs the body of a command and tells its outcome.
    func report(_ body: () async throws -> CommandReport.Outcome) async throws {
        try await CommandReport(format: format).run(body)
    }
}

/// What `signet device init` fixes for a phone, besides what the device itself is.
struct PhoneSettings: Hashable, Sendable {
    /// The form of this file; another one is refused.
    static let version = 1

    /// Where the server is.
    var server: String
    /// The name of the phone, shown to its user.
    var name: String
    /// Certificates (PEM) that the phone trusts besides those of the operating system.
    var authorities: String?
}

extension PhoneSettings {
    /// Reads what ``json`` writes.
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        let version = try members.required("version") { value throws(JSONTypeError) in try value.asInteger(Int.self) }
        guard version == Self.version else { throw JSONTypeError(path: ["version"], .outOfRange) }
        self.init(
            server: try members.required("server") { value throws(JSONTypeError) in try value.asString() },
            name: try members.required("name") { value throws(JSONTypeError) in try value.asString() },
            authorities: try members.optional("authorities") { value throws(JSONTypeError) in try value.asString() })
    }

    /// The settings as a JSON object.
    var json: JSONValue {
        .object(
            JSONObject([
                "version": .integer(Self.version), "server": .string(server), "name": .string(name),
                "authorities": authorities.map(JSONValue.string),
            ]))
    }
}
