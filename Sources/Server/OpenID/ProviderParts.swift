import Octets
package import ServerCore

/// Ports and settings that the parts of the provider share.
package struct ProviderParts: Sendable {
    let settings: WebSiteSettings.OpenID
    /// Address of the provider as clients call it, such as `https://login.example.com`.
    let issuer: String
    let transactions: any OpenIDTransactionRunner
    let clients: any ClientRegistry
    let users: any UserRepository
    let confirmations: any ConfirmationService
    let receipts: any ReceiptIssuer
    let keys: ProviderKeys
    let ports: ServerPorts

    package init(
        settings: WebSiteSettings.OpenID, issuer: String, transactions: any OpenIDTransactionRunner,
        clients: any ClientRegistry, users: any UserRepository, confirmations: any ConfirmationService,
        receipts: any ReceiptIssuer, keys: ProviderKeys, ports: ServerPorts
    ) {
        self.settings = settings
        self.issuer = issuer
        self.transactions = transactions
        self.clients = clients
        self.users = users
        self.confirmations = confirmations
        self.receipts = receipts
        self.keys = keys
        self.ports = ports
    }

    /// Server time, in which lifetimes are counted.
    var now: Timestamp { ports.clock.now() }
    /// Time of day, which others compare with theirs.
    var timeOfDay: Timestamp { ports.wall.now() }

    func secret() -> Sensitive<String> { Sensitive(Base64URL.encode(ports.random.bytes(count: 32))) }

    /// Runs a transaction; throws ``OpenIDRefusal/Code/temporarilyUnavailable``.
    func transaction<Value: Sendable>(
        _ body: @escaping OpenIDTransactionBody<Value>
    ) async throws(OpenIDRefusal) -> Value {
        do throws(ServerError) {
            return try await transactions.transaction(body)
        } catch {
            throw OpenIDRefusal(error)
        }
    }

    /// Reads; throws ``OpenIDRefusal/Code/temporarilyUnavailable``.
    func read<Value: Sendable>(_ body: @escaping OpenIDSnapshotBody<Value>) async throws(OpenIDRefusal) -> Value {
        do throws(ServerError) {
            return try await transactions.read(body)
        } catch {
            throw OpenIDRefusal(error)
        }
    }

    /// The client of a name that came from outside; nil when there is none.
    func client(named name: String?) async throws(OpenIDRefusal) -> RegisteredClient? {
        guard let id = name.flatMap(ClientID.init) else { return nil }
        do throws(ServerError) {
            return try await clients.client(id)
        } catch {
            throw OpenIDRefusal(error)
        }
    }

    /// Event of a client for the audit; the reason names the client.
    func event(
        _ kind: AuditEvent.Kind, of client: ClientID, user: UserID?, ceremony: CeremonyID? = nil,
        from context: ClientContext = ClientContext()
    ) -> AuditEvent {
        var event = AuditEvent(kind, at: now, userID: user, client: context)
        event.ceremonyID = ceremony
        event.reason = client.text
        return event
    }
}

extension OpenIDRefusal {
    /// The refusal that a failure of the server leads to; nothing was granted.
    init(_ error: ServerError) {
        switch error {
        case .overloaded(let wait), .throttled(let wait), .tooManyOperations(let wait), .quietHours(let wait),
            .undelivered(let wait):
            self.init(.temporarilyUnavailable, retryAfter: Int(clamping: max(1, wait.components.seconds)))
        case .storageUnavailable: self = .outage
        default: self.init(.serverError)
        }
    }
}
