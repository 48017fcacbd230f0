import ServerCore
import Testing

@Suite("Strength of an account: the strongest method alone lets in")
struct AccountStrengthTests {
    private static let now = Timestamp(seconds: 1_700_000_000)
    private static let wait: Duration = .seconds(86_400)

    /// The order of decision 0036, weakest first; a password is nil.
    private static let order: [[Assurance?]] = [[nil], [.syncedPasskey], [.passkey], [.key], [.chip, .chipWithPIN]]

    private static func rank(_ method: Assurance?) -> Int { order.firstIndex { $0.contains(method) } ?? -1 }

    /// All sets of methods.
    private static let sets: [Set<Assurance>] = (0..<(1 << Assurance.allCases.count)).map { mask in
        Set(Assurance.allCases.enumerated().filter { mask & (1 << $0.offset) != 0 }.map(\.element))
    }

    private static let methods: [Assurance?] = [nil] + Assurance.allCases

    @Test("Of every set of methods, registered or removed within the wait, only the strongest let in")
    func allSets() {
        for registered in Self.sets {
            for removed in Self.sets {
                let times = removed.map { ($0, Self.now - Self.wait + .milliseconds(1)) }
                let strength = AccountStrength(registered: registered, removed: Dictionary(uniqueKeysWithValues: times))
                let strongest = registered.union(removed).map { Self.rank($0) }.max() ?? 0
                for method in Self.methods {
                    let obstacle = strength.obstacle(to: method, at: Self.now, wait: Self.wait)
                    #expect((obstacle == nil) == (Self.rank(method) >= strongest), "\(registered) \(removed)")
                    if let obstacle { #expect(Self.rank(obstacle.method) == strongest) }
                    let isRegistered = registered.contains { Self.rank($0) > Self.rank(method) }
                    #expect((obstacle?.until == nil) == (obstacle == nil || isRegistered))
                }
            }
        }
    }

    @Test("A removed method counts until the wait is over, to the millisecond", arguments: sets)
    func wait(removed: Set<Assurance>) {
        for registered in Self.sets where !removed.isEmpty {
            let strength = AccountStrength(
                registered: registered, removed: Dictionary(uniqueKeysWithValues: removed.map { ($0, Self.now) }))
            let alone = AccountStrength(registered: registered)
            for method in Self.methods {
                let end = Self.now + Self.wait
                let before = strength.obstacle(to: method, at: end - .milliseconds(1), wait: Self.wait)
                let after = strength.obstacle(to: method, at: end, wait: Self.wait)
                #expect(after == alone.obstacle(to: method, at: end, wait: Self.wait))
                if let until = before?.until { #expect(until == end) }
            }
        }
    }

    @Test("Of several removals the last one that is stronger ends the wait")
    func lastRemoval() {
        let strength = AccountStrength(
            registered: [.syncedPasskey],
            removed: [
                .chip: Self.now - .seconds(20), .passkey: Self.now - .seconds(10), .syncedPasskey: Self.now,
            ])
        let synced = strength.obstacle(to: .syncedPasskey, at: Self.now, wait: Self.wait)
        #expect(synced?.method == .chip)
        #expect(synced?.until == Self.now + Self.wait - .seconds(10))
        let passkey = strength.obstacle(to: .passkey, at: Self.now, wait: Self.wait)
        #expect(passkey?.until == Self.now + Self.wait - .seconds(20))
        #expect(strength.obstacle(to: .chipWithPIN, at: Self.now, wait: Self.wait) == nil)
    }
}
