import OpenID
import ServerCore
import ServerPersistence
import TestSupport
import Testing

/// New sign-ins by each pair of methods: `MethodPairTests`.
@Suite("Who holds a key without proof gets in no way beside a key in a chip, over the socket")
struct WeakerMethodAttackTests {
    /// What becomes of the stronger key that comes after the thief has begun.
    enum Stronger: String, CaseIterable, Sendable {
        case none, registered, removed, removedLongAgo
    }

    private static let wait: Duration = .seconds(20)
    /// Ways in, each begun by the weaker key.
    private static let signIns: [GivenOut] = [
        .providerCookie, .code, .accessToken, .refreshToken, .backchannelRequest,
    ]
    /// Ways to a key of the thief's own.
    private static let changes: [GivenOut] = [.registrationChallenge, .userOperation]

    @Test(
        "Each way ends while the stronger key is there, and until the wait after its removal",
        arguments: Stronger.allCases)
    func attack(stronger: Stronger) async throws {
        let stage = try await EndsStage(.sqlite, on: StoredDatabase.sqlite.empty(), removalWait: Self.wait)
        var rights: [HeldRight] = []
        for kind in Self.signIns + Self.changes { rights.append(try await stage.give(kind)) }
        stage.site.server.clock.advance(by: .seconds(6))
        for right in rights where stronger != .none {
            let key = try await stage.add(.chip, to: right.user)
            if stronger != .registered { try await stage.remove(key, of: right.user) }
        }
        if stronger == .removedLongAgo { stage.site.server.clock.advance(by: Self.wait) }
        let (site, held) = (stage.site, rights)
        try await stage.overSocket { client in
            for right in held {
                // What was begun before changes no keys after it, however long ago that was.
                let isOpen =
                    stronger == .none || stronger == .removedLongAgo && !Self.changes.contains(right.kind)
                let holds = try await RightUse(client: client, site: site, right: right).holds()
                #expect(holds == isOpen, "\(right.kind)")
            }
        }
    }
}
