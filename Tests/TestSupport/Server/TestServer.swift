import BackendAPI
package import Logging
import Octets
package import ServerCore
import ServerPersistence
import ServerPersistenceSQLite
package import UAF

/// The services of a server on a real database in memory, with a clock and randomness that tests control.
package final class TestServer: Sendable {
    /// The application that answers.
    package static let facet = "ios:bundle-id:com.example.app"
    /// The application of every request.
    package static let appID = "https://login.example.com/nevisfido/uaf/1.1/facets"

    /// The time of day, and server time, too, unless there is a ``serverClock``.
    package let clock: ManualClock
    /// Server time of a server that was given a monotonic clock.
    package let serverClock: ServerClock?
    package let random: SeededRandom
    /// The database, whose faults tests choose.
    package let database: FaultyDatabase
    package let storage: Storage
    package let services: ServerServices
    /// Takes what would be pushed.
    package let push = RecordingDispatcher(.firebaseCloudMessaging, pushes: true)
    /// Takes what would become a link.
    package let link = RecordingDispatcher(.link, pushes: false)

    /// Where a server keeps its data.
    package enum Store {
        /// A new database in memory.
        case memory
        /// A new database in a file.
        case file(String)
        /// The database of another server: this one is a second process on it.
        case of(TestServer)
    }

    /// Starts a server that knows the models of `authenticators`, accepts each alone, and is set up by `change`.
    ///
    /// With `monotonic` server time follows that clock, and ``clock`` is the time of day only.
    package init(
        authenticators: [SyntheticAuthenticator], store: Store = .memory,
        monotonic: (any MonotonicClock)? = nil, pause: any Pause = SystemPause(),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        change: (inout ServerSettings) throws -> Void = { _ in }
    ) async throws {
        let other: TestServer? = if case .of(let other) = store { other } else { nil }
        clock = other?.clock ?? ManualClock()
        random = SeededRandom(seed: other == nil ? 1 : 2)
        switch store {
        case .of(let other): database = other.database
        case .memory: database = FaultyDatabase(try SQLiteDatabase())
        case .file(let path): database = FaultyDatabase(try SQLiteDatabase(path: path))
        }
        if other == nil { try await Migrator().migrate(database, at: clock.now()) }
        serverClock = monotonic.map { [clock] in ServerClock(wall: clock, monotonic: $0) }
        let catalog = MetadataCatalog(authenticators.map(\.metadata))
        var settings = try Self.settings(catalog)
        try change(&settings)
        storage = SQLStorage.ports(on: database, chainID: settings.instanceName)
        services = try ServerServices(
            settings: settings, storage: storage, masterKey: try Self.masterKey(),
            metadata: catalog,
            ports: ServerPorts(
                clock: serverClock ?? clock, random: random, logger: logger, secp256k1: nil, dispatchers: [push, link],
                pause: pause))
        try await services.start()
    }

    /// The master key of every test server.
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

    /// What goes wrong before the thing under test does.
    package enum Failure: Error {
        /// The server could not be set up.
        case setUp
        /// The server answered with this status instead of a request.
        case noRequest(StatusCode)
    }
}
