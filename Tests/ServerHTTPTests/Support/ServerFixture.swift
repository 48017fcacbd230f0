import BackendAPI
import Hummingbird
import HummingbirdTesting
import LoadControl
import Logging
import Octets
import OpenID
import ServerCore
import ServerPersistence
import ServerPersistenceSQLite
import TestSupport
import UAF
import UAFService

@testable import HTTPEngine
@testable import ServerHTTP

/// The whole service in memory: real routes, real services, a real database; only time and chance are given.
struct ServerFixture {
    static let facet = "ios:bundle-id:org.signet.demo"
    static let password = "correct horse battery staple"

    let services: ServerServices
    /// The database, whose faults tests choose.
    let database: FaultyDatabase
    let clock: ManualClock
    let metrics: MetricsRegistry
    let load: LoadController
    let application: Application<ServiceResponder>
    let authenticator: SyntheticAuthenticator
    /// Dispatcher that records links.
    let link: RecordingDispatcher

    /// What a server stands on.
    struct Ground {
        /// Database; nil for a new one in memory.
        var database: (any SQLDatabase)?
        var clock = ManualClock()
        /// Identity with TLS; nil without.
        var identity: ServerIdentity?
        /// Limits of a site on it.
        var limits = RequestLimits.unhurried
    }

    /// Opens a server that knows the user `anna`, on a new database in memory or on the one that is given.
    static func open(
        limits: RequestLimits = .unhurried,
        proxies: ProxySettings = ProxySettings(), on ground: Ground = Ground(),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ change: (inout ServerSettings) -> Void = { _ in },
        sites: (OpenIDServer) throws -> ConfiguredServices = { _ in ConfiguredServices() }
    ) async throws -> ServerFixture {
        let (authenticator, clock) = (try SyntheticAuthenticator(), ground.clock)
        let database = FaultyDatabase(try ground.database ?? SQLiteDatabase())
        let link = RecordingDispatcher(.link, pushes: false)
        // Two servers of one database draw different names.
        let random: any RandomSource = ground.database == nil ? SeededRandom() : SystemRandomSource()
        let metrics = MetricsRegistry()
        let load = LoadController(limits.overload, report: QueueMetrics(metrics, logger: logger))
        let server = try await server(database, (clock, random, link), authenticator, (logger, load), change)
        let services = server.services
        if try await services.storage.users.users(after: nil, limit: 1).isEmpty {
            try await services.users.add(name: "anna", externalID: "ext-anna", password: password)
        }
        let routing = HTTPRouting(
            limits: limits, proxies: proxies, metrics: metrics, load: load, now: { clock.now().milliseconds },
            elapsed: { .zero })
        let responder = routing.serviceResponder(
            services: services, sites: try sites(server), clock: clock, publicOrigin: "https://server.example")
        let listener = HTTPListener(
            address: ListenerAddress(host: "127.0.0.1", port: 0), limits: limits, proxies: proxies, load: load,
            logger: logger)
        return ServerFixture(
            services: services, database: database, clock: clock, metrics: metrics, load: load,
            application: try listener.application(
                responder: responder, identity: try ground.identity.map { try ServingIdentity($0) }, started: { _ in }),
            authenticator: authenticator, link: link)
    }

    private static func server(
        _ database: FaultyDatabase, _ given: (clock: ManualClock, random: any RandomSource, link: RecordingDispatcher),
        _ authenticator: SyntheticAuthenticator,
        _ watching: (logger: Logger, load: LoadController),
        _ change: (inout ServerSettings) -> Void
    ) async throws -> OpenIDServer {
        try await Migrator().migrate(database, at: given.clock.now())
        let catalog = MetadataCatalog([authenticator.metadata])
        guard let appID = AppID("https://server.example/nevisfido/uaf/1.1/facets"), let facet = FacetID(facet) else {
            throw FixtureFault()
        }
        let uaf = UAFSettings(
            appID: appID, facets: [facet], policies: try PolicyCatalog(acceptingModelsOf: catalog))
        var settings = ServerSettings(
            uaf: uaf, tokens: TokenSettings(issuer: "https://server.example", audience: "https://server.example"))
        settings.passwordLogin = PasswordLoginSettings()
        settings.passwordLogin?.cost = .cheapest
        change(&settings)
        let tables = SQLStorage(on: database, chainID: "test", load: watching.load)
        let services = try ServerServices(
            settings: settings, storage: tables.ports,
            masterKey: try MasterKey(SecretOctets(copying: [UInt8](repeating: 7, count: MasterKey.byteCount))),
            metadata: catalog,
            ports: ServerPorts(
                clock: given.clock, random: given.random, logger: watching.logger,
                dispatchers: [
                    given.link,
                    RecordingDispatcher(.firebaseCloudMessaging, pushes: true),
                ]
            ).bounded(by: watching.load))
        try await services.start()
        return OpenIDServer(services, transactions: tables.openID, settings: OpenIDSettings())
    }

    /// The kinds of the audit records so far, in order.
    func auditKinds() async throws -> [String] {
        try await services.audit.records(of: "test").map { record in
            let text = String(decoding: record.event, as: UTF8.self)
            return AuditEvent.Kind.allCases.map(\.rawValue).first { text.contains("\"event\":\"\($0)\"") } ?? text
        }
    }

    /// A fixture that cannot be made.
    struct FixtureFault: Error {}

    /// Listens on a free port, over real sockets, with TLS when there is an identity; opens no connection by itself.
    func live<Value>(_ body: @Sendable (_ port: Int) async throws -> Value) async throws -> Value {
        try await application.test(.ahc()) { server in
            guard let port = server.port else { throw FixtureFault() }
            return try await body(port)
        }
    }

    /// Sends requests through the router.
    func test<Value>(_ body: @Sendable (ServiceClient) async throws -> Value) async throws -> Value {
        try await application.test(.router) { try await body(ServiceClient(client: $0)) }
    }
}

extension RequestLimits {
    /// The default limits, with ten minutes for a body and for an answer: beside many other tests a task may wait long for its
    /// turn.
    static var unhurried: RequestLimits {
        var limits = RequestLimits()
        limits.bodyTime = .seconds(600)
        limits.overload.answerTime = .seconds(600)
        return limits
    }
}
