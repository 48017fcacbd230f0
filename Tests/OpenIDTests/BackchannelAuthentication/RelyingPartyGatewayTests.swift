import BackendAPI
import JOSE
import Octets
import OpenID
import Receipts
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Relying-party API: what is created is created once, and each key sees its own")
struct RelyingPartyGatewayTests {
    private let phone: SyntheticAuthenticator
    private let server: TestServer
    private let user: User
    private let gateway: RelyingPartyGateway
    private let portal: AccessKeyName
    private let other: AccessKeyName

    init() async throws {
        phone = try SyntheticAuthenticator()
        server = try await TestServer(authenticators: [phone]) { settings in
            settings.outOfBand.linking.push = .none
            settings.outOfBand.linking.scan = .none
        }
        user = try await server.services.users.add(name: "jeff", externalID: "jeff-ext")
        try await server.register(phone, for: user)
        try await server.addTarget(of: user, on: SyntheticDevice())
        portal = try #require(AccessKeyName("portal"))
        other = try #require(AccessKeyName("other"))
        let services = server.services
        gateway = RelyingPartyGateway(
            OpenIDServer(services, transactions: server.openID, settings: OpenIDSettings()),
            seal: OpenIDSeal(keys: services.keys, random: server.random))
    }

    @Test("A passkey is an authenticator: it is listed, renamed and removed, and then unknown")
    func passkeys() async throws {
        let passkey = try Passkey(
            of: user.id, named: try #require(DeviceName("Laptop")), at: server.clock.now(), random: server.random,
            isSynced: true)
        _ = try await server.openID.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(passkey)
        }
        let id = try #require(TargetExternalID(passkey.id.octets))
        let name = try #require(DeviceName("Work"))
        let renamed = try members(try await gateway.rename(id, to: name, for: portal, client: ClientContext()))
        #expect(try renamed.string("name") == "Work" && renamed.string("authenticatorType") == "passkey")
        let listed = try members(try await gateway.user(.name(user.name), for: portal))
        let last = try #require(try listed["authenticators"]?.asArray().last?.asObject())
        #expect(try last.string("authenticatorId") == passkey.id.text && last.string("name") == "Work")
        #expect(try last["passkey"]?.asObject()["synced"] == .bool(true))
        try await gateway.removeAuthenticator(id, for: portal, client: ClientContext())
        await #expect(throws: RelyingPartyRefusal.authenticatorUnknown) {
            try await gateway.removeAuthenticator(id, for: portal, client: ClientContext())
        }
        let left = try await server.openID.read { [user] snapshot throws(ServerTransactionFailure) in
            try snapshot.passkeys(of: user.id)
        }
        #expect(left.isEmpty)
    }

    private func approve(_ text: String = "Pay 10 EUR") async throws(RelyingPartyRefusal) -> RelyingPartyAnswer {
        let subject = UserName("jeff").map { RelyingPartySubject.name($0) }
        return try await gateway.approve(
            ApprovalRequest(subject: subject, channel: .push, message: text), for: portal, client: ClientContext())
    }

    private func call(_ key: String, _ body: String = "{}") throws -> IdempotentCall {
        try #require(
            IdempotentCall(key, of: portal, method: "POST", path: "/api/v1/approval", body: Array(body.utf8)))
    }

    private func members(_ answer: RelyingPartyAnswer) throws -> JSONObject {
        try JSONParser.parse(answer.body).asObject()
    }

    /// Transaction of an approval that comes with an idempotency key; nil while the first one is being answered.
    private func approved(_ call: IdempotentCall) async throws -> String? {
        do throws(RelyingPartyRefusal) {
            let answer = try await gateway.once(call) { () async throws(RelyingPartyRefusal) in try await approve() }
            return try? members(answer).string("transactionId")
        } catch {
            #expect(error == .requestInProgress)
            return nil
        }
    }

    @Test("Sixty-four equal creations at the same time push once; each gets that answer or is asked to come again")
    func idempotency() async throws {
        let call = try call("0123456789abcdef")
        let ids = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<64 {
                group.addTask { try await approved(call) }
            }
            return try await group.reduce(into: Set<String>()) { ids, id in if let id { ids.insert(id) } }
        }
        #expect(ids.count == 1 && server.push.parcels.count == 1)
        let again = try await gateway.once(call) { () async throws(RelyingPartyRefusal) in throw .userUnknown }
        let one = try members(again).string("transactionId")
        #expect(again.status == 200 && ids == [one])
    }

    @Test("The same key with another body is refused, and a refusal is not kept")
    func reusedKey() async throws {
        let first = try call("0123456789abcdef", #"{"a":1}"#)
        await #expect(throws: RelyingPartyRefusal.userUnknown) {
            try await gateway.once(first) { () async throws(RelyingPartyRefusal) in throw .userUnknown }
        }
        let answer = RelyingPartyAnswer(status: 201, body: Array("made".utf8))
        _ = try await gateway.once(first) { () async throws(RelyingPartyRefusal) in answer }
        let second = try call("0123456789abcdef", #"{"a":2}"#)
        await #expect(throws: RelyingPartyRefusal.keyReused) {
            try await gateway.once(second) { () async throws(RelyingPartyRefusal) in answer }
        }
        server.clock.advance(by: .seconds(86_400))
        let later = try await gateway.once(second) { () async throws(RelyingPartyRefusal) in
            RelyingPartyAnswer(body: Array("new".utf8))
        }
        #expect(later.body == Array("new".utf8))
    }

    @Test("A key has 16 to 64 visible characters", arguments: ["", "short", "with a blank 12345", "0123456789abcdé0"])
    func keyForm(key: String) {
        #expect(IdempotentCall(key, of: portal, method: "POST", path: "/", body: []) == nil)
        #expect(IdempotentCall(nil, of: portal, method: "POST", path: "/", body: []) == nil)
    }

    @Test("A status token opens its transaction only: it is no bearer token, and another type is none")
    func statusToken() async throws {
        let token = try members(try await approve()).string("statusToken")
        let status = try members(try await gateway.status(token, atMost: .zero))
        #expect(try status.string("status") == "pending")
        #expect(try await server.services.tokens.grant(forToken: token) == nil)
        let foreign = try await TestServer(authenticators: [phone])
        let statements = SignedStatements(
            issuer: foreign.services.settings.tokens.issuer, keys: foreign.services.keys, wall: foreign.clock)
        let forged = try statements.sign(["sid": .string("x")], type: "signet-status+jwt", lifetime: .seconds(60))
        for wrong in [forged, token + "A", "", "a.b.c"] {
            await #expect(throws: RelyingPartyRefusal.server(.unauthorized)) {
                _ = try await gateway.status(wrong, atMost: .zero)
            }
        }
        server.clock.advance(by: .seconds(900))
        await #expect(throws: RelyingPartyRefusal.server(.unauthorized)) {
            _ = try await gateway.status(token, atMost: .zero)
        }
    }

    @Test("A key learns nothing of another key's transaction")
    func introspection() async throws {
        let token = try members(try await approve()).string("statusToken")
        let own = try members(try await gateway.introspect(token, for: portal))
        #expect(own["active"] == .bool(true) && own["status"] == .string("pending"))
        for text in [token, "", "nonsense"] {
            let foreign = try members(try await gateway.introspect(text, for: other))
            #expect(foreign.members.map(\.name) == ["active"] && foreign["active"] == .bool(false))
        }
    }

    @Test("Enrolling makes a user who is not there (201), and finds the one who is (200)")
    func enroll() async throws {
        let new = EnrollRequest(subject: .name(try #require(UserName("anna"))), policy: nil)
        let first = try await gateway.enroll(new, for: portal, client: ClientContext())
        let second = try await gateway.enroll(new, for: portal, client: ClientContext())
        #expect(first.status == 201 && second.status == 200)
        #expect(try members(first).string("userId") == members(second).string("userId"))
        let unknown = EnrollRequest(subject: .id(try #require(UserName("absent-ext"))), policy: nil)
        await #expect(throws: RelyingPartyRefusal.userUnknown) {
            _ = try await gateway.enroll(unknown, for: portal, client: ClientContext())
        }
    }

    @Test("A user is found by name and by ID, each by its own kind; what is removed is unknown")
    func users() async throws {
        let (name, id) = (try #require(UserName("jeff")), try #require(UserName("jeff-ext")))
        #expect(try members(try await gateway.user(.name(name), for: portal)).string("status") == "active")
        #expect(try members(try await gateway.user(.id(id), for: portal)).string("username") == "jeff")
        await #expect(throws: RelyingPartyRefusal.userUnknown) { _ = try await gateway.user(.name(id), for: portal) }
        await #expect(throws: RelyingPartyRefusal.userUnknown) { _ = try await gateway.user(.id(name), for: portal) }
        try await gateway.removeUser(id, for: portal, client: ClientContext())
        await #expect(throws: RelyingPartyRefusal.userUnknown) { _ = try await gateway.user(.name(name), for: portal) }
    }

    private func set(_ body: String, of id: String = "jeff-ext") async throws(RelyingPartyRefusal) {
        guard let id = UserName(id) else { return }
        try await gateway.change(id, try UserChange(body: Array(body.utf8)), for: portal, client: ClientContext())
    }

    private func attributes() async throws -> JSONObject {
        let id = try #require(UserName("jeff-ext"))
        return try #require(try members(try await gateway.user(.id(id), for: portal))["attributes"]).asObject()
    }

    @Test("Attributes are set and removed one by one; the audit names the key and the attributes, and no value")
    func attributeChanges() async throws {
        #expect(try await attributes() == [:])
        try await set(#"{"attributes":{"email":"jeff@example.com","email_verified":true,"groups":["staff"]}}"#)
        try await set(#"{"attributes":{"name":"Jeff Élan","groups":null}}"#)
        let now = try await attributes()
        #expect(now["email"] == .string("jeff@example.com") && now["email_verified"] == .bool(true))
        #expect(now["name"] == .string("Jeff Élan") && now["groups"] == nil)
        let chain = server.services.settings.instanceName
        let records = try await server.storage.audit.records(of: chain, after: 0, limit: 1_000)
        let written = records.map { String(decoding: $0.event, as: UTF8.self) }
            .filter { $0.contains("ADMIN_USER_ATTRIBUTES_CHANGED") }
        #expect(written.count == 2 && written.allSatisfy { $0.contains("portal") })
        #expect(written.first?.contains("email email_verified groups") == true)
        #expect(written.allSatisfy { !$0.contains("jeff@example.com") && !$0.contains("Élan") })
    }

    @Test(
        "What breaks a rule is named and changes nothing, and a user who is not there is unknown",
        arguments: [
            (#"{"attributes":{"name":"J","email":"no address"}}"#, ["attributes", "email"]),
            (#"{"attributes":{"email_verified":true}}"#, ["attributes", "email_verified"]),
            (#"{"attributes":{"name":""}}"#, ["attributes", "name"]), (#"{"attributes":{"sub":"x"}}"#, ["attributes"]),
            (#"{"attributes":[]}"#, ["attributes"]), ("{}", ["attributes"]), ("", []),
        ])
    func refusedAttributes(body: String, path: [String]) async throws {
        await #expect(throws: RelyingPartyRefusal.malformed(member: path)) { try await set(body) }
        #expect(try await attributes() == [:])
        await #expect(throws: RelyingPartyRefusal.userUnknown) { try await set(#"{"attributes":{}}"#, of: "jeff") }
    }

    @Test("An answer to enrolling, which no right to read users is needed for, has no attributes")
    func enrolledAttributes() async throws {
        try await set(#"{"attributes":{"email":"jeff@example.com"}}"#)
        let request = EnrollRequest(subject: .name(user.name), policy: nil)
        let answer = try await gateway.enroll(request, for: portal, client: ClientContext())
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("jeff@example.com"))
    }

    @Test("An authenticator is renamed and removed by its ID; another ID is unknown")
    func authenticators() async throws {
        let target = try #require(try await server.storage.targets.targets(of: user.id).first)
        let name = try #require(DeviceName("Work phone"))
        let renamed = try await gateway.rename(target.externalID, to: name, for: portal, client: ClientContext())
        #expect(try members(renamed).string("name") == "Work phone")
        try await gateway.removeAuthenticator(target.externalID, for: portal, client: ClientContext())
        await #expect(throws: RelyingPartyRefusal.authenticatorUnknown) {
            try await gateway.removeAuthenticator(target.externalID, for: portal, client: ClientContext())
        }
        await #expect(throws: RelyingPartyRefusal.noSuitableAuthenticator) { _ = try await approve() }
    }

    @Test("A confirmed text has a receipt that verifies offline, also when the user is gone; a replay makes no second")
    func receipt() async throws {
        let target = try #require(try await server.storage.targets.targets(of: user.id).first)
        let answer = try await server.dispatch(to: target.id.text, transaction: "Pay 10 EUR")
        let request = await server.redeem(try #require(answer.token))
        #expect(try await server.answer(request, with: phone).message.statusCode == .ok)
        let receipt = try #require(try await server.status(answer.sessionID).receipt)
        let keys = try JWKS(json: try await server.services.receipts.keySetDocument)
        let verified = try ReceiptVerifier().verify(receipt, keys: keys, audit: nil)
        #expect(verified.text == "Pay 10 EUR" && verified.subject == "jeff-ext" && verified.audience == "key:portal")
        #expect(try await server.answer(request, with: phone).message.statusCode != .ok)
        #expect(try await server.services.tokens.grant(forToken: receipt) == nil)
        let id = try #require(answer.sessionID.flatMap { CeremonyID(text: $0) })
        #expect(try await server.services.receipts.receipt(of: id, for: .accessKey(other)) == nil)
        try await server.services.users.remove(named: "jeff")
        let later = try await server.services.receipts.receipt(of: id, for: .accessKey(portal))
        #expect(try ReceiptVerifier().verify(try #require(later), keys: keys, audit: nil).text == "Pay 10 EUR")
    }

    @Test("A refused answer has no receipt")
    func noReceipt() async throws {
        let target = try #require(try await server.storage.targets.targets(of: user.id).first)
        let answer = try await server.dispatch(to: target.id.text, transaction: "Pay 10 EUR")
        let request = await server.redeem(try #require(answer.token))
        _ = try await server.report(request)
        #expect(try await server.status(answer.sessionID).receipt == nil)
        let id = try #require(answer.sessionID.flatMap { CeremonyID(text: $0) })
        #expect(try await server.services.receipts.receipt(of: id, for: .accessKey(portal)) == nil)
    }
}
