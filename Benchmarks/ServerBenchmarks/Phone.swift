import TestSupport
import UAF

/// Phone with one registered key, which costs only its signatures: there is no PIN and no key derivation.
struct Phone: LoadSubject {
    private let username: UserName
    private let network: PhoneNetwork
    private let hasFreshConnections: Bool
    private let client: SyntheticClient
    private var authenticator: SyntheticAuthenticator
    private var connection: PhoneConnection?

    /// Phone of a user, with a new key that the server does not know yet.
    init(user: String, on network: PhoneNetwork, hasFreshConnections: Bool) throws {
        guard let username = UserName(user), let facet = FacetID("ios:bundle-id:org.signet.demo") else {
            throw BenchmarkFailure.badConstant
        }
        self.username = username
        self.network = network
        self.hasFreshConnections = hasFreshConnections
        client = SyntheticClient(facet: facet)
        authenticator = try SyntheticAuthenticator()
        authenticator.counters = Counters(signatures: 1, registrations: 1)
    }

    /// Registers the key.
    mutating func prepare() async throws {
        try await openConnection().register(authenticator, of: username, as: client)
    }

    /// Signs in: two requests over the open connection, or over one that is opened and closed for it.
    mutating func work() async throws {
        if hasFreshConnections { try await hangUp() }
        authenticator.counters = Counters(signatures: authenticator.counters.signatures + 1, registrations: 1)
        try await openConnection().signIn(username, with: authenticator, as: client)
    }

    /// Closes the connection, if there is one.
    mutating func hangUp() async throws {
        try await connection?.close()
        connection = nil
    }

    private mutating func openConnection() async throws -> PhoneConnection {
        if let connection { return connection }
        let opened = try await network.connect()
        connection = opened
        return opened
    }
}
