import BackendAPI
package import LoadControl
package import Logging
import Octets
package import OpenID
package import ServerCore
package import ServerPersistence
import ServerPersistenceSQLite
package import UAF
package import UAFService

/// Services of a server on a real in-memory database, with a clock and randomness that tests control.
package final class TestServer: Sendable {
    /// Facet ID of the application that responds.
    package static let facet = "ios:bundle-id:com.example.app"
    /// AppID of every request.
    package static let appID = "https://login.example.com/nevisfido/uaf/1.1/facets"

    /// Wall clock, which is the server time as well unless there is a ``serverClock``.
    package let clock: ManualClock
    /// Server time of a server with a monotonic clock.
    package let serverClock: ServerClock?
    package let random: SeededRandom
    /// Database with faults that tests choose.
    package let database: FaultyDatabase
    package let storage: Storage
    /// Transactions with the rows of the OpenID Provider.
    package let openID: any OpenIDTransactionRunner
    package let services: ServerServices
    /// Dispatcher that records push messages.
    package let push = RecordingDispatcher(.firebaseCloudMessaging, pushes: true)
    /// Dispatcher that records links.
    package let link = RecordingDispatcher(.link, pushes: false)

    /// Database of a server.
    package enum Store {
        /// New database in memory.
        case memory
        /// New database in a file.
        case file(String)
        /// Empty database of whatever kind.
        case empty(any SQLDatabase)
        /// Database of another server, on which this one is a second process.
        case of(TestServer)
    }

    private struct Surroundings {
        let pause: any Pause
        let logger: Logger
        let dispatchers: [any Dispatcher]
        var load = LoadController()
        var processes = ProcessPorts()
    }

    /// Starts a server that knows the models of `authenticators`, accepts each alone, and has the settings that
    /// `change` makes.
    ///
    /// With `monotonic` the server time follows that clock, and ``clock`` is the time of day only.
    package convenience init(
        authenticators: [SyntheticAuthenticator], store: Store = .memory,
        monotonic: (any BootClock)? = nil, pause: any Pause = SystemPause(),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        change: (inout ServerSettings) throws -> Void = { _ in }
    ) async throws {
        try await self.init(
            authenticators: authenticators, store: store, monotonic: monotonic,
            surroundings: Surroundings(pause: pause, logger: logger, dispatchers: []), change: change)
    }

    /// Starts a server whose `dispatchers` come behind ``push`` and ``link``.
    package convenience init(
        authenticators: [SyntheticAuthenticator], dispatchers: [any Dispatcher]
    ) async throws {
        let surroundings = Surroundings(
            pause: SystemPause(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            dispatchers: dispatchers)
        try await self.init(
            authenticators: authenticators, store: .memory, monotonic: nil, surroundings: surroundings,
            change: { _ in })
    }

    /// Starts a server whose queues have the bounds of `load`.
    package convenience init(
        authenticators: [SyntheticAuthenticator], load: LoadController, pause: any Pause = SystemPause()
    ) async throws {
        var surroundings = Surroundings(
            pause: pause, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, dispatchers: [])
        surroundings.load = load
        try await self.init(
            authenticators: authenticators, store: .memory, monotonic: nil, surroundings: surroundings,
            change: { _ in })
    }

    /// Starts a server that is one of several processes on its database, to which `processes` lead.
    package convenience init(
        authenticators: [SyntheticAuthenticator], store: Store = .memory, monotonic: (any BootClock)? = nil,
        pause: any Pause = SystemPause(), processes: ProcessPorts,
        change: (inout ServerSettings) throws -> Void = { _ in }
    ) async throws {
        var surroundings = Surroundings(
            pause: pause, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, dispatchers: [])
        surroundings.processes = processes
        try await self.init(
            authenticators: authenticators, store: store, monotonic: monotonic, surroundings: surroundings,
            change: change)
    }

    private init(
        authenticators: [SyntheticAuthenticator], store: Store, monotonic: (any BootClock)?,
        surroundings: Surroundings, change: (inout ServerSettings) throws -> Void
    ) async throws {
        let other: TestServer? = if case .of(let other) = store { other } else { nil }
        clock = other?.clock ?? ManualClock()
        random = SeededRandom(seed: other == nil ? 1 : 2)
        switch store {
        case .of(let other): database = other.database
        case .memory: database = FaultyDatabase(try SQLiteDatabase())
        case .file(let path): database = FaultyDatabase(try SQLiteDatabase(path: path))
        case .empty(let empty): database = FaultyDatabase(empty)
        }
        if other == nil { try await Migrator().migrate(database, at: clock.now()) }
        serverClock = monotonic.map { [clock] in ServerClock(wall: clock, monotonic: $0) }
        let catalog = MetadataCatalog(authenticators.map(\.metadata))
        var settings = try Self.settings(catalog)
        try change(&settings)
        let tables = SQLStorage(on: database, chainID: settings.instanceName, load: surroundings.load)
        storage = tables.ports
        openID = tables.openID
        services = try ServerServices(
            settings: settings, storage: storage, masterKey: try Self.masterKey(),
            metadata: catalog,
            ports: ServerPorts(
                clock: serverClock ?? clock, random: random, logger: surroundings.logger,
                dispatchers: [push, link] + surroundings.dispatchers, pause: surroundings.pause
            ).beside(surroundings.processes).bounded(by: surroundings.load))
        try await services.start()
    }

    /// Master key of every test server.
    package static func masterKey() throws -> MasterKey {
        try MasterKey(SecretOctets(copying: Array(repeating: 7, count: MasterKey.byteCount)))
    }

    private static func settings(_ catalog: MetadataCatalog) throws -> ServerSettings {
        guard let appID = AppID(appID), let facet = FacetID(facet) else { throw Failure.setUp }
        let uaf = UAFSettings(
            appID: appID, facets: [facet], policies: try PolicyCatalog(acceptingModelsOf: catalog))
        return ServerSettings(
            uaf: uaf, tokens: TokenSettings(issuer: "https://login.example.com", audience: "signet"))
    }

    /// Failure before the tested operation.
    package enum Failure: Error {
        /// The server could not be set up.
        case setUp
        /// The server returned this status instead of a request.
        case noRequest(StatusCode)
    }
}
