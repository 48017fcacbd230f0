import AsyncHTTPClient
import BackendAPI
import CommandSupport
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import Octets
import ServerAdministration
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerProcesses
import StrictJSON

/// Connection of a command to the administration API of a running server; without one, to the services on its files.
///
/// It follows no redirect, and bounds an answer in size and time.
struct AdministrationClient: AdministrationConnection {
    static let answerLimit = 16 * 1024 * 1024

    /// Name of the server in messages.
    let name: String
    /// URLs before the path: of a socket for each process beside a database, or of one server elsewhere.
    private let bases: [String]
    /// Header fields that say who asks.
    private let fields: [(String, String)]
    /// Keeps the folder of the sockets open.
    private let sockets: [AdministrationSocket]
    /// Services of an installation on which no server runs; nil for a server elsewhere.
    private let files: InstallationConnection?
    private let client: HTTPClient
    private let patience: Duration

    /// Client of the processes on the database that the options select.
    init(beside options: ServerOptions, patience: Duration = .seconds(300)) throws {
        let deployment = try options.file.deployment()
        name = "the server on \(deployment.dataDirectory)"
        files = InstallationConnection(deployment)
        do throws(ServerProcessesError) {
            sockets = try AdministrationSocket.all(besides: deployment.leaseFile)
        } catch .folder(let path, EACCES) {
            throw CommandFailure.local(
                "otherAccount",
                "\(path) belongs to another account: run the command as the account of the server "
                    + "(sudo -u ACCOUNT signet-server admin …)")
        } catch {
            sockets = []
        }
        bases = sockets.map { "http+unix://" + PathComponent.encode($0.address) }
        fields = [("Signet-Operator", Self.statement(of: .ofProcess()))]
        client = Self.client(.clientDefault)
        self.patience = patience
    }

    /// Client of a server elsewhere, with the key in a file; an `authority` is the only one that is trusted.
    init(
        at server: String, trusting authority: String?, keyFile: String, patience: Duration = .seconds(300)
    ) throws {
        name = ForeignText.name(server)
        files = nil
        let key = try Self.key(in: keyFile)
        sockets = []
        bases = [server.hasSuffix("/") ? String(server.dropLast()) : server]
        fields = [("Authorization", "Bearer \(key)")]
        client = Self.client(try Self.tls(authority))
        self.patience = patience
    }

    /// Statement about the account of this process, which the server takes for the audit.
    private static func statement(of actor: AuditActor) -> String {
        JSONWriter.text(
            .object([
                "uid": .integer(actor.userID), "login": actor.login.map { .string($0) },
                "sudoUser": actor.sudoUser.map { .string($0) },
            ]))
    }

    private static func client(_ tls: TLSConfiguration) -> HTTPClient {
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        configuration.timeout.connect = .seconds(10)
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func close() async throws {
        try await client.shutdown()
        try files?.close()
    }

    /// Answer to a request that was done; throws ``CommandFailure`` for a refusal, and when there is no server.
    func answer(to request: AdministrationRequest) async throws -> AdministrationReply {
        for base in bases {
            let response: HTTPClient.Response
            do {
                response = try await send(request, to: base)
            } catch let error as IOError where [ECONNREFUSED, ENOENT].contains(error.errnoCode) {
                // The process of this socket has ended.
                continue
            } catch {
                throw failure(error)
            }
            let reply = AdministrationReply(
                operation: request.operation, status: Int(response.status.code),
                type: response.headers.first(name: "Content-Type"),
                version: response.headers.first(name: "ETag").flatMap { ObjectVersion(entityTag: $0) },
                body: response.body.map { Array($0.readableBytesView) } ?? [])
            return try reply.done(by: name, sockets.isEmpty ? .key : .account)
        }
        guard let files else { throw unreachable }
        return try await files.answer(to: request)
    }

    private func send(_ request: AdministrationRequest, to base: String) async throws -> HTTPClient.Response {
        var headers = HTTPHeaders(fields)
        if !sockets.isEmpty { headers.add(name: "Host", value: "localhost") }
        headers.add(
            name: "Accept", value: request.operation.endpoint.responseTypes.map(\.essence).joined(separator: ", "))
        if let reason = request.reason { headers.add(name: "Signet-Reason", value: reason) }
        if let version = request.version { headers.add(name: "If-Match", value: version.entityTag) }
        if let body = request.body { headers.add(name: "Content-Type", value: body.type.fieldValue) }
        let message = try HTTPClient.Request(
            url: base + request.target, method: HTTPMethod(rawValue: request.operation.endpoint.method.rawValue),
            headers: headers, body: request.body.map { .bytes($0.content) })
        return try await client.execute(
            request: message, delegate: ResponseAccumulator(request: message, maxBodySize: Self.answerLimit),
            deadline: .now() + .milliseconds(patience.wholeMilliseconds)
        ).get()
    }

    private var unreachable: CommandFailure {
        .local(
            "serverUnreachable",
            "no answer from \(name): does it run"
                + (sockets.isEmpty
                    ? ", and does its configuration have the section administration with this address?" : "?"),
            isRetryable: true)
    }

    private func failure(_ error: any Error) -> CommandFailure {
        switch error {
        case NIOSSLError.uncleanShutdown: unreachable
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            .local("serverUntrusted", "\(name) is not trusted, and nothing was sent: name its authority (--ca)")
        case is ResponseAccumulator.ResponseTooBigError, is HTTPParserError, is NIOTooManyBytesError:
            .foreignAnswer(name)
        case let error as HTTPClientError where Self.timeouts.contains(error):
            .local(
                "serverSilent",
                "\(name) did not answer in time; a change may have been made: look before you repeat it",
                isRetryable: true)
        default: unreachable
        }
    }

    private static let timeouts: [HTTPClientError] = [
        .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .tlsHandshakeTimeout,
        .getConnectionFromPoolTimeout,
    ]
}

// MARK: - Server elsewhere

extension AdministrationClient {
    /// Whether a text is the URL of a server; without TLS only on this machine, as the key would pass in the clear.
    static func isAddress(_ text: String) -> Bool {
        guard let url = URL(string: text), let host = url.host, !host.isEmpty, url.user == nil, url.password == nil,
            ["", "/"].contains(url.path), url.query == nil, url.fragment == nil
        else { return false }
        return url.scheme == "https"
            || url.scheme == "http" && ["127.0.0.1", "::1", "[::1]", "localhost"].contains(host)
    }

    private static func key(in path: String) throws(CommandFailure) -> String {
        let files = PosixFiles()
        guard let content = files.contents(of: path) else {
            throw .local("fileUnusable", "cannot read the access key in \(path) (--key-file)")
        }
        guard files.permissions(of: path).map({ $0 & 0o077 == 0 }) == true else {
            throw .local("fileUnusable", "\(path) may be read by other accounts: chmod 600 (--key-file)")
        }
        let octets = content.reversed().drop { [0x0A, 0x0D, 0x20].contains($0) }.reversed()
        guard AccessKey.byteCounts.contains(octets.count), octets.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .local("fileUnusable", "\(path) holds no access key of 32 to 512 characters (--key-file)")
        }
        return String(decoding: octets, as: UTF8.self)
    }

    private static func tls(_ authority: String?) throws(CommandFailure) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        guard let authority else { return configuration }
        guard let content = PosixFiles().contents(of: authority),
            let certificates = try? NIOSSLCertificate.fromPEMBytes(content), !certificates.isEmpty
        else { throw .local("fileUnusable", "\(authority) holds no certificate (--ca)") }
        configuration.trustRoots = .certificates(certificates)
        return configuration
    }
}
