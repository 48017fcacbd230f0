import ArgumentParser
import BackendTransport
import BackendTransportLinux
import CommandSupport
import Foundation
import MobileAuthentication
import StrictJSON

/// Running virtual phone: its folder is locked, its SDK is initialized.
struct Phone {
    let folder: PhoneFolder
    let settings: PhoneSettings
    let server: URL
    let device: VirtualDevice
    let transport: any HTTPTransport
    /// User verification by this machine, with the problems that prevented it.
    let verification: PhoneVerification

    var client: any MobileAuthenticationClient { device.client }

    /// Opens the phone in a folder for the duration of `body`, with the folder locked.
    ///
    /// `network` may name another server and a folder for recordings; `verification` is the user verification by this
    /// machine; `carrier` may wrap the transport.
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
        // The device unlocks its folder when it is released.
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

    /// Parses an absolute `https` URL.
    static func address(_ text: String) throws(CommandFailure) -> URL {
        guard let url = URL(string: text), url.scheme?.lowercased() == "https", url.host()?.isEmpty == false else {
            throw .local("BadServer", "the server's address must begin with https:// and name a host: \(text)")
        }
        return url
    }

    /// Configuration with the default paths of an identity suite, on any host and port.
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
    /// The failure with the address of the server, if it is about an unreachable one.
    fileprivate func naming(_ server: URL) -> CommandFailure {
        guard code == "NetworkError" else { return self }
        var failure = self
        failure.message += " (\(server.absoluteString))"
        return failure
    }
}

struct PhoneOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder that is the phone.", valueName: "DIR"))
    var device: String

    @Option(help: "Output format: text or json.")
    var format = OutputFormat.text

    var folder: PhoneFolder { PhoneFolder(path: device) }

    func report(_ body: () async throws -> CommandReport.Outcome) async throws {
        try await CommandReport(program: .phone, format: format).run(body)
    }
}

/// Settings of a phone from `signet device init`, in addition to the settings of the device itself.
struct PhoneSettings: Hashable, Sendable {
    /// Version of the file format; any other one is refused.
    static let version = 1

    var server: String
    var name: String
    /// Certificates (PEM) that the phone trusts in addition to the operating system's.
    var authorities: String?
}

extension PhoneSettings {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        let version = try members.required("version") { value throws(JSONTypeError) in try value.asInteger(Int.self) }
        guard version == Self.version else { throw JSONTypeError(path: ["version"], .outOfRange) }
        self.init(
            server: try members.required("server") { value throws(JSONTypeError) in try value.asString() },
            name: try members.required("name") { value throws(JSONTypeError) in try value.asString() },
            authorities: try members.optional("authorities") { value throws(JSONTypeError) in try value.asString() })
    }

    var json: JSONValue {
        .object(
            JSONObject([
                "version": .integer(Self.version), "server": .string(server), "name": .string(name),
                "authorities": authorities.map(JSONValue.string),
            ]))
    }
}
