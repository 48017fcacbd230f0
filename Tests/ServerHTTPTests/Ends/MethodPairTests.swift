import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

/// The order is the one of decision 0036.
@Suite("A thief of one of two methods of sign-in, over the socket, by the forms of the pages")
struct MethodPairTests {
    /// What becomes of the other method.
    enum Other: String, CaseIterable, Sendable {
        case never, registered, removed, removedLongAgo
    }

    private static let wait: Duration = .seconds(3_600)
    /// Weakest first; nil is a password.
    private static let methods: [Assurance?] = [nil, .syncedPasskey, .passkey, .key, .chip]

    @Test(
        "The weaker is let in alone, and neither beside the stronger nor until the wait after its removal",
        arguments: Other.allCases)
    func attack(other: Other) async throws {
        let stage = try await EndsStage(.sqlite, on: StoredDatabase.sqlite.empty(), removalWait: Self.wait)
        try await stage.overSocket { client in
            for (rank, held) in Self.methods.enumerated() {
                for (otherRank, method) in Self.methods.enumerated() where rank != otherRank {
                    guard let method else { continue }
                    let name = "user-\(rank)-\(otherRank)"
                    let user = try await stage.services.users.add(
                        name: name, externalID: "ext-" + name, password: EndsStage.password)
                    var thief = MethodHolder(try await stage.add(held, to: user), of: user, on: stage, client)
                    #expect(try await thief.signIn() == thief.letIn, "\(name), alone")
                    let isWeaker = rank < otherRank
                    try await Self.bring(method, to: other, isStronger: isWeaker, beside: thief)
                    try await Self.attack(
                        by: &thief, refusedFor: isWeaker && [.registered, .removed].contains(other) ? method : nil)
                }
            }
        }
    }

    /// Registers the other method, has its holder sign in, and takes it away as the state asks.
    private static func bring(
        _ method: Assurance, to other: Other, isStronger: Bool, beside thief: MethodHolder
    ) async throws {
        let (stage, user) = (thief.stage, thief.user)
        guard other != .never else { return }
        stage.site.server.clock.advance(by: .seconds(2))
        var honest = MethodHolder(try await stage.add(method, to: user), of: user, on: stage, thief.browser.client)
        if isStronger { #expect(try await honest.signIn() == honest.letIn, "\(user.name.text), honest") }
        guard other != .registered else { return }
        if case .passkey = honest.method, isStronger {
            try await honest.removePasskey()
        } else {
            try await stage.remove(honest.method, of: user)
        }
        if other == .removedLongAgo { stage.site.server.clock.advance(by: wait) }
    }

    /// Signs in by the thief's method, and compares what they see, what they have got and what the audit keeps.
    private static func attack(by thief: inout MethodHolder, refusedFor stronger: Assurance?) async throws {
        let (name, isPage) = (thief.user.name.text, thief.user.name.text.hasPrefix("user-0") == false)
        let before = try await thief.stage.records(of: thief.user).count
        #expect(try await thief.signIn() == (stronger == nil ? thief.letIn : thief.refused), "\(name)")
        #expect(thief.browser.isSignedIn == (isPage && stronger == nil), "\(name)")
        let records = try await thief.stage.records(of: thief.user).dropFirst(before)
        let refusals = try records.filter { try $0.string("event") == "WEAKER_METHOD_REFUSED" }
        // A password signs in nowhere: what it asks for is refused as any request without a right, and counted.
        #expect(try refusals.map { try $0.string("reason") } == (isPage ? stronger.map { [$0.rawValue] } ?? [] : []))
        #expect(try refusals.allSatisfy { try $0.string("initiator") == "client:shop" })
        let grants = try records.filter { try $0.string("event") == "CLIENT_GRANT_ISSUED" }
        #expect(grants.count == (isPage && stronger == nil ? 1 : 0), "\(name)")
    }
}

extension EndsStage {
    /// Records of the audit about a user, in order.
    func records(of user: User) async throws -> [JSONObject] {
        try await services.audit.records(of: "test").map { try JSONParser.parse($0.event).asObject() }
            .filter { try $0.optionalString("userId") == user.id.text }
    }
}
