import BackendAPI
import Octets
import OpenID
import ServerCore
import ServerPersistence
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerHTTP

/// Server on a database with a user for each kind of thing that it gives out; what is used goes over a socket.
struct EndsStage {
    static let portal = String(repeating: "portal", count: 8)
    static let password = "correct horse battery staple"
    static let issuer = ForeignIssuer()

    let site: SiteFixture
    private let opened: OpenedDatabase
    private let kind: StoredDatabase

    /// Cell of the table as it was played.
    struct Cell: Sendable {
        let kind: GivenOut
        let holds: Bool
        /// Logout tokens that wait for the client, about the holder.
        let told: Int
    }

    /// Lets a blow fall on the holder of each kind that it can reach, and says which still hold.
    static func play(_ blow: Blow, on storage: StoredDatabase) async throws -> [Cell] {
        var stage = try await EndsStage(storage, on: storage.empty(), removalWait: .seconds(3_600))
        var held: [HeldRight] = []
        for kind in GivenOut.allCases {
            switch kind.fate(after: blow) {
            case .untouched: continue
            case .holds, .ends:
                do {
                    held.append(try await stage.give(kind))
                } catch {
                    Issue.record(error, "\(kind) is not given")
                }
            }
        }
        stage.site.server.clock.advance(by: .seconds(2))
        for right in held { try await stage.fall(blow, on: right) }
        if let other = try await stage.fallOnServer(blow) { stage = other }
        // Before anything has read the audit: what is told was written with the blow.
        let told = try await stage.told()
        stage.site.server.clock.advance(by: .seconds(1))
        let (after, rights) = (stage, held)
        return try await after.overSocket { client in
            var played: [Cell] = []
            for right in rights {
                let holds = try await RightUse(client: client, site: after.site, right: right).holds()
                let count = told.count { $0 == right.user.externalID.text }
                played.append(Cell(kind: right.kind, holds: holds, told: count))
            }
            return played
        }
    }

    /// Users of whose end a logout token tells, each as often as there are tokens.
    private func told() async throws -> [String] {
        let messages = try await site.transactions.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.messages(.waiting, limit: 1_000)
        }
        return try messages.filter { $0.kind == .logout }.map {
            try JSONParser.parse($0.content).asObject().string("sub")
        }
    }

    /// Runs `body` with a client of the listening server.
    func overSocket<Value: Sendable>(
        _ body: @escaping @Sendable (SocketClient) async throws -> Value
    ) async throws -> Value {
        try await site.server.live { port in try await SocketClient.run(at: port, body) }
    }

    /// A server with passkeys where `removalWait` is there.
    init(
        _ kind: StoredDatabase, on opened: OpenedDatabase, at clock: ManualClock = ManualClock(),
        removalWait: Duration? = nil, bindsSessions: Bool = false
    ) async throws {
        self.kind = kind
        self.opened = opened
        let name = try #require(AccessKeyName("portal"))
        var key = try #require(AccessKey(name: name, key: Self.portal))
        key.rights.scopes = Set(AccessKeyScope.allCases)
        let trusted = try Self.issuer.trusted
        site = try await SiteFixture(
            on: ServerFixture.Ground(database: opened.database, clock: clock),
            settings: {
                $0.outOfBand.accessKeys = [key]
                $0.tokens.trustedIssuers = [trusted]
                $0.authorization.removalWait = removalWait
            },
            provider: { provider, shop in
                provider.bindsSessions = bindsSessions
                shop.mayRefresh = true
                shop.backchannel = .poll
            })
    }

    var services: ServerServices { site.server.services }

    // MARK: - Blows

    private func fall(_ blow: Blow, on right: HeldRight) async throws {
        let (users, name) = (services.users, right.kind.rawValue)
        switch blow {
        case .nothing, .clientDisabled, .clientEnabledAgain, .keysReplaced, .keysReplacedBeside, .restored: return
        case .locked: try await users.lock(named: name)
        case .unlocked:
            try await users.lock(named: name)
            try await users.unlock(named: name)
        case .removed: try await users.remove(named: name)
        case .addedAgain:
            try await users.remove(named: name)
            site.server.clock.advance(by: .seconds(2))
            _ = try await enrol(name)
        case .credentialRemoved where right.passkey != nil:
            try await removePasskey(of: right)
            try await users.endSessions(ofUserNamed: name)
        case .deregistered where right.passkey != nil: try await removePasskey(of: right)
        case .credentialRemoved: try await users.remove(try await keys(of: right), ofUserNamed: name)
        case .deviceRemoved: _ = try await services.removeDevice(right.target)
        case .deregistered:
            let asked = GetUAFRequest(DeregistrationContext(username: right.user.name, scope: .everything))
            let answer = try await services.deregistration.issueRequest(
                asked, authorization: try await login(right.user), client: ClientContext())
            #expect(answer.statusCode == .ok)
        case .disabled: try await users.setStatus(.disabled, of: try await keys(of: right), ofUserNamed: name)
        case .enabledAgain:
            let keys = try await keys(of: right)
            try await users.setStatus(.disabled, of: keys, ofUserNamed: name)
            try await users.setStatus(.active, of: keys, ofUserNamed: name)
        case .passwordChanged: try await users.setPassword("another horse battery staple", named: name)
        case .sessionsEnded: try await users.endSessions(ofUserNamed: name)
        case .loggedOut: try await logOut(right)
        }
    }

    private func removePasskey(of right: HeldRight) async throws {
        try await remove(try #require(right.passkey), of: right.user)
    }

    private func keys(of right: HeldRight) async throws -> [CredentialID] {
        try await services.storage.credentials.credentials(of: right.user.id).map(\.id)
    }

    private func logOut(_ right: HeldRight) async throws {
        switch right.kind {
        case .sessionCookie, .passwordCookie:
            try await services.sessions.end(cookie: right.text, client: ClientContext())
        default:
            let fields = try #require(OpenIDFields([(name: "action", value: "logout")]))
            _ = try await site.services.logout.logOut(
                fields, browser: BrowserCookies(browser: nil, provider: right.provider.map { Sensitive($0) }),
                client: ClientContext())
        }
    }

    /// Lets a blow fall on the client or the server; the server on which things are then used, where it is another one.
    private func fallOnServer(_ blow: Blow) async throws -> EndsStage? {
        let shop = try #require(ClientID("shop"))
        let administration = ClientAdministration(
            OpenIDServer(services, transactions: site.transactions, settings: site.settings))
        switch blow {
        case .clientDisabled, .clientEnabledAgain:
            #expect(
                try await administration.setDisabled(true, shop, at: site.server.clock.now(), by: site.transactions))
            site.server.clock.advance(by: .seconds(10))
            guard blow == .clientEnabledAgain else { return nil }
            #expect(
                try await administration.setDisabled(false, shop, at: site.server.clock.now(), by: site.transactions))
            site.server.clock.advance(by: .seconds(10))
            return nil
        case .keysReplaced:
            try await services.replaceKeys()
            return nil
        case .keysReplacedBeside:
            try await run { "CREATE TABLE unseen_\($0) AS SELECT * FROM \($0)" }
            try await services.replaceKeys()
            try await run { "INSERT INTO \($0) SELECT * FROM unseen_\($0)" }
            return nil
        case .restored:
            let other = try kind.empty()
            _ = try await DatabaseCopy(from: opened.database, to: other.database).run(at: site.server.clock.now())
            let stage = try await EndsStage(
                kind, on: other, at: site.server.clock, removalWait: services.settings.authorization.removalWait)
            try await stage.services.replaceKeys()
            return stage
        default: return nil
        }
    }

    /// Runs a statement for each table whose rows a transaction beside the replacement of keys may have written.
    private func run(_ statement: @escaping @Sendable (String) -> String) async throws {
        let tables = StoredTable.allCases.filter { $0.isGivenOut && $0 != .consumedChallenges && $0 != .clientGrants }
        _ = try await opened.database.transaction { connection throws(ServerPersistenceError) in
            // Codes and tokens name their grant.
            for table in [.clientGrants] + tables { try connection.execute(statement(table.rawValue), []) }
        }
    }
}
