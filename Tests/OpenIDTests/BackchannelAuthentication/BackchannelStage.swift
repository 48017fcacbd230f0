import BackendAPI
import ServerCore
import Synchronization
import TestSupport
import UAF
import UAFService

@testable import OpenID

/// CIBA over a storage in memory, with a phone, tokens and clients that tests decide upon.
final class BackchannelStage: Sendable {
    /// Failure of the setup.
    struct Fault: Error {}

    let runner = MemoryTransactionRunner()
    let server: TestServer
    let user: User
    let phone: DecidedConfirmations
    let grants = CountedGrants()
    let service: BackchannelAuthentication
    let keycloak: KeycloakChannel
    let grant: BackchannelGrant
    let messages: BackchannelMessages
    let shop: RegisteredClient
    let bank: RegisteredClient
    let pinged: RegisteredClient
    let pushed: RegisteredClient

    init(hasDigits: Bool = false) async throws {
        server = try await TestServer(authenticators: [SyntheticAuthenticator()])
        let known = try await server.services.users.add(name: "jeff", externalID: "jeff-ext")
        user = known
        runner.change { $0.users = [known] }
        phone = DecidedConfirmations(transactions: runner)
        guard let address = OutgoingAddress("https://shop.example.com/cb") else { throw Fault() }
        shop = try Self.client("shop", .poll)
        bank = try Self.client("bank", .poll)
        pinged = try Self.client("pinged", .ping(address))
        pushed = try Self.client("pushed", .push(address))
        let clients = ListedClients(clients: [shop, bank, pinged, pushed])
        let seal = OpenIDSeal(keys: server.services.keys, random: server.random)
        service = BackchannelAuthentication(
            lifetime: OpenIDSettings.Provider().backchannelLifetime, hasDigits: hasDigits,
            users: BackchannelUsers(
                users: server.storage.users,
                keys: ProviderKeys(service: server.services.keys, issuer: "https://login.example.com"),
                clock: server.services.ports.clock, wall: server.services.ports.wall),
            confirmations: phone, seal: seal, clock: server.services.ports.clock,
            random: server.services.ports.random)
        keycloak = KeycloakChannel(clients: clients, users: server.storage.users, backchannel: service)
        grant = BackchannelGrant(
            polling: BackchannelPolling(
                grants: grants, confirmations: phone, transactions: runner, clock: server.services.ports.clock))
        messages = BackchannelMessages(
            clients: clients, grants: grants, confirmations: phone, transactions: runner, seal: seal,
            clock: server.services.ports.clock)
    }

    private static func client(
        _ name: String, _ delivery: RegisteredClient.BackchannelDelivery
    ) throws -> RegisteredClient {
        guard let id = ClientID(name) else { throw Fault() }
        var client = RegisteredClient(
            id: id, name: name, authentication: .secret(ClientSecretHash(of: "a secret of thirty-two octets...".utf8)))
        client.backchannel = delivery
        return client
    }

    func request(_ fields: [(name: String, value: String)]) throws -> ClientRequest {
        guard let fields = OpenIDFields(fields) else { throw Fault() }
        return ClientRequest(
            fields: fields, authorization: nil, address: "https://login.example.com/oauth2/bc-authorize",
            client: ClientContext())
    }

    /// Confirmation of the order that was begun last.
    func confirmation() throws -> Confirmation {
        guard let id = phone.last?.id else { throw Fault() }
        return Confirmation(
            id: id, user: user, authenticatedAt: server.clock.now(),
            evidence: RequestAuthorization.Evidence(authenticatedAt: server.clock.now()), assurance: .chip,
            text: phone.last?.order.text)
    }
}

/// Confirmations that tests decide upon.
final class DecidedConfirmations: ConfirmationService {
    private let state = Mutex<(orders: [(id: CeremonyID, order: ConfirmationOrder)], state: ConfirmationState)>(
        ([], .waiting))
    private let failure = Mutex<ServerError?>(nil)
    private let transactions: any OpenIDTransactionRunner

    init(transactions: any OpenIDTransactionRunner) { self.transactions = transactions }

    var last: (id: CeremonyID, order: ConfirmationOrder)? { state.withLock { $0.orders.last } }

    func decide(_ decision: ConfirmationState) { state.withLock { $0.state = decision } }

    func refuse(_ error: ServerError?) { failure.withLock { $0 = error } }

    func begin(
        _ order: ConfirmationOrder, client: ClientContext, with companion: @escaping ConfirmationCompanion
    ) async throws(ServerError) -> BegunConfirmation {
        if let error = failure.withLock({ $0 }) { throw error }
        let id = CeremonyID(from: SystemRandomSource())
        let begins = try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try companion(id, transaction)
        }
        guard begins else { throw .forbidden }
        state.withLock { $0.orders.append((id, order)) }
        let digits = order.linking == nil ? ShownChannelLinking(mode: .typed, digits: "013579") : nil
        return BegunConfirmation(
            id: id, link: nil, digits: digits, expiresAt: ManualClock().now() + (order.lifetime ?? .seconds(120)))
    }

    func state(
        of id: CeremonyID, for initiator: Initiator, unlike known: ConfirmationState?, atMost wait: Duration,
        pretendedUntil end: Timestamp?
    ) async throws(ServerError) -> ConfirmationState {
        state.withLock { $0.state }
    }

    func state(of id: CeremonyID, for initiator: Initiator, in snapshot: any ServerSnapshot) -> ConfirmationState {
        state.withLock { $0.state }
    }

    func cancel(_ id: CeremonyID, for initiator: Initiator, client: ClientContext) async throws(ServerError) {}
}

/// Issuer that keeps the keys of its grants, nil for one that is bound to none.
final class CountedGrants: GrantIssuer {
    private let issued = Mutex<[ClientKeyThumbprint?]>([])
    private let failure = Mutex<ServerError?>(nil)

    var count: Int { issued.withLock { $0.count } }
    var keys: [ClientKeyThumbprint?] { issued.withLock { $0 } }

    func refuse(_ error: ServerError?) { failure.withLock { $0 = error } }

    func draft(
        for client: RegisteredClient, key: ClientKeyThumbprint?, requestID: String?
    ) async throws(ServerError) -> GrantDraft {
        let random = SystemRandomSource()
        return GrantDraft(
            client: client, requestID: requestID,
            tokens: TokenIssuer.Draft(
                access: random.secret(), refresh: random.secret(), settings: OpenIDSettings.Provider(), key: key,
                refreshKey: nil),
            createdAt: ManualClock().now())
    }

    func store(
        _ draft: GrantDraft, scopes: Set<ScopeName>, for confirmation: Confirmation,
        in transaction: any OpenIDTransaction
    ) throws(ServerTransactionFailure) -> StoredGrant? {
        let grant = Grant(
            id: GrantID(from: SystemRandomSource()), client: draft.client.id, session: nil, scopes: scopes,
            confirmation: confirmation, createdAt: draft.createdAt, expiresAt: draft.createdAt)
        return StoredGrant(
            draft: draft, grant: grant, person: UserClaims(user: confirmation.user, attributes: UserAttributes()))
    }

    func answer(_ stored: StoredGrant) async throws(ServerError) -> GrantedTokens {
        if let error = failure.withLock({ $0 }) { throw error }
        issued.withLock { $0.append(stored.draft.tokens.key) }
        return GrantedTokens(
            body: Array(#"{"access_token":"token","token_type":"Bearer"}"#.utf8), grant: stored.grant.id)
    }
}

/// Clients of a list.
struct ListedClients: ClientRegistry {
    let clients: [RegisteredClient]

    func client(_ id: ClientID) async throws(ServerError) -> RegisteredClient? { clients.first { $0.id == id } }
    func pageOrigins() async throws(ServerError) -> Set<String> { [] }
}
