import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import OpenID
import ServerAdministration
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

@testable import ServerHTTP

/// A server with its administration listener, and a key for each role.
struct AdministrationFixture {
    let server: ServerFixture
    /// The same on a Unix socket.
    let socket: Application<ServiceResponder>
    let sites: OpenIDServer
    private let application: Application<ServiceResponder>

    init(
        keys: [AccessKey] = [], on ground: ServerFixture.Ground = ServerFixture.Ground(),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ change: (inout ServerSettings) -> Void = { _ in }
    ) async throws {
        let all =
            try AccessKeyScope.allCases.filter { $0.role != nil }.map { try Self.key($0.rawValue, [$0]) }
            + [Self.key("service", AccessKeyScope.standard)] + keys
        var made: OpenIDServer?
        server = try await ServerFixture.open(
            limits: ground.limits, on: ground, logger: logger,
            {
                $0.outOfBand.accessKeys = all
                change(&$0)
            },
            sites: {
                made = $0
                return ConfiguredServices()
            })
        sites = try #require(made)
        let service = AdministrationService(sites)
        let clock = ground.clock
        let routing = HTTPRouting(
            limits: ground.limits, metrics: server.metrics, now: { clock.now().milliseconds }, elapsed: { .zero })
        func application(_ door: AdministrationDoor) throws -> Application<ServiceResponder> {
            try HTTPListener(
                address: ListenerAddress(host: "127.0.0.1", port: 0), limits: ground.limits.ofAdministration,
                logger: logger
            ).application(
                responder: routing.administrationResponder(service, door: door), identity: nil, started: { _ in })
        }
        self.application = try application(.accessKeys)
        socket = try application(.account(AuditActor(userID: 7, login: "signet", sudoUser: nil)))
    }

    /// Key of a name, as it is sent.
    static func text(_ name: String) -> String {
        let text = "key-" + name.replacing(":", with: "-")
        return text + String(repeating: "k", count: 40 - text.count)
    }

    static func key(_ name: String, _ scopes: Set<AccessKeyScope>) throws -> AccessKey {
        let known = try #require(AccessKeyName(name.replacing(":", with: "-")))
        var key = try #require(AccessKey(name: known, key: text(name)))
        key.rights.scopes = scopes
        return key
    }

    /// Header fields and body of a request beside its path.
    struct Request {
        var body: String?
        var type = "application/json"
        var reason: String?
        var version: String?
        /// Statement of a command about its account.
        var account: String?
        /// Asks at the socket.
        var isLocal = false
    }

    /// Sends a request with the key of a role, or of a name.
    func send(
        _ method: HTTPRequest.Method, _ path: String, as key: String?, _ request: Request = Request()
    ) async throws -> TestResponse {
        var headers = HTTPFields()
        headers[.authorization] = key.map { "Bearer \(Self.text($0))" }
        if request.body != nil { headers[.contentType] = request.type }
        headers[try #require(HTTPField.Name("Signet-Reason"))] = request.reason
        headers[try #require(HTTPField.Name("Signet-Operator"))] = request.account
        headers[.ifMatch] = request.version
        let fields = headers
        return try await (request.isLocal ? socket : application).test(.router) { client in
            try await client.execute(
                uri: "/admin/v1" + path, method: method, headers: fields,
                body: ByteBuffer(string: request.body ?? ""))
        }
    }

    /// Changes something with a reason and the version that is read first.
    func change(
        _ method: HTTPRequest.Method, _ path: String, as key: String, _ body: String? = nil
    ) async throws -> TestResponse {
        let version = try await send(.get, path, as: key).headers[.eTag]
        return try await send(method, path, as: key, Request(body: body, reason: "ticket 4711", version: version))
    }

    /// Listens on a free port with access keys.
    func live(_ body: @Sendable (_ port: Int) async throws -> Void) async throws {
        try await application.test(.ahc()) { server in try await body(try #require(server.port)) }
    }

    func userID(_ name: String = "anna") async throws -> String {
        try await server.services.users.user(named: name).id.text
    }

    /// The last record of the audit.
    func lastRecord() async throws -> JSONObject {
        try #require(await server.services.audit.newest(AuditQuery(), limit: 1).entries.last).event
    }
}
