import BackendAPI
import Octets
import OpenID
import ServerCore
import ServerPersistence
import StrictJSON
import Synchronization
import TestSupport
import Testing
import UAF
import UAFService

@Suite("A way back without a phone: code, wait, removal, one invitation, and no sign-in")
struct RecoveryServiceTests {
    @Test("Codes are read as people write them, and are all different")
    func codes() async throws {
        let stage = try await RecoveryStage()
        #expect(stage.codes.count == 8 && Set(stage.codes).count == 8)
        let text = stage.codes[0].text
        #expect(text.wholeMatch(of: /[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){3}/) != nil)
        for typed in [text.lowercased(), text.replacing("-", with: ""), " " + text.replacing("-", with: " ")] {
            #expect(RecoveryCode(typed: typed) == stage.codes[0])
        }
        for typed in [
            "", "A", text + "A", text.replacing("-", with: "_"), String(repeating: "é", count: 16),
            "0" + text.dropFirst(),
        ] {
            #expect(RecoveryCode(typed: typed) == nil, "\(typed)")
        }
    }

    /// Statement that ran, with the kinds and sizes of its arguments: a hash is 32 octets, of whatever it is.
    private struct Work: Hashable {
        let sql: String
        let arguments: [String]

        init(_ sql: String, _ arguments: [SQLValue]) {
            self.sql = sql
            self.arguments = arguments.map { argument in
                switch argument {
                case .blob(let octets): "\(octets.count) octets"
                case .null: "null"
                case .integer, .text: "a value"
                }
            }
        }
    }

    /// What the server does for a name and a code that are not taken.
    private func work(_ stage: RecoveryStage, _ name: String, _ code: String) async throws -> [Work] {
        let done = Mutex<[Work]>([])
        stage.server.database.set {
            $0.witness = { sql, arguments in done.withLock { $0.append(Work(sql, arguments)) } }
        }
        let reads = stage.server.database.readCount
        #expect(try await stage.begin(code, name: name) == nil)
        stage.server.database.set { $0.witness = nil }
        #expect(stage.server.database.readCount == reads, "everything is in one transaction")
        return done.withLock { $0 }
    }

    @Test("SRV-10: What is wrong, name, code or account, makes no difference to the statements and hashes")
    func equalWork() async throws {
        let stage = try await RecoveryStage()
        let wrong = RecoveryCode(from: SystemRandomSource()).text
        for name in ["locked", "plain", "vouched"] { try await stage.server.services.users.add(name: name) }
        try await stage.server.services.users.lock(named: "locked")
        let vouched = try await stage.server.services.users.user(named: "vouched")
        _ = try await stage.recoveries.vouch(
            for: vouched, by: try #require(AccessKeyName("portal")), client: stage.client)
        let known = try await work(stage, "jeff", wrong)
        #expect(known.count > 4 && known.contains { $0.arguments.contains("32 octets") })
        for (name, code) in [
            ("absent", wrong), ("locked", wrong), ("locked", stage.codes[0].text), ("plain", wrong), ("vouched", wrong),
            ("vouched", stage.codes[0].text), ("jeff", "short"), ("absent", "short"), ("jeff", ""),
        ] {
            #expect(try await work(stage, name, code) == known, "\(name)")
        }
    }

    @Test("Codes stand in the database as hashes only, are counted, and go with new ones")
    func kept() async throws {
        let stage = try await RecoveryStage()
        #expect(try await stage.recoveries.account(of: stage.user.id).codes == 8)
        _ = try await stage.begin(stage.codes[0].text)
        #expect(try await stage.recoveries.account(of: stage.user.id).codes == 7)
        _ = try await stage.recoveries.makeCodes(by: stage.grant, client: stage.client)
        #expect(try await stage.recoveries.account(of: stage.user.id).codes == 8)
        #expect(try await stage.begin(stage.codes[1].text) == nil)
    }

    @Test("Before the end of the wait the page has no phones, removes none and invites none; then it does")
    func wait() async throws {
        let stage = try await RecoveryStage()
        let cookie = try #require(try await stage.begin(stage.codes[0].text))
        let phone = try #require(try await stage.server.storage.targets.targets(of: stage.user.id).first).externalID
        stage.server.clock.advance(by: .seconds(86_399))
        let waiting = try #require(try await stage.recoveries.shown(cookie))
        #expect(!waiting.isOpen && waiting.phones.isEmpty)
        #expect(try await !stage.recoveries.remove(phone, cookie, client: stage.client))
        #expect(try await stage.recoveries.invite(cookie, client: stage.client) == nil)
        stage.server.clock.advance(by: .seconds(1))
        let open = try #require(try await stage.recoveries.shown(cookie))
        #expect(open.isOpen && open.phones.map(\.name.text) == ["Old phone"])
        #expect(try await stage.recoveries.remove(phone, cookie, client: stage.client))
        #expect(try await stage.recoveries.shown(cookie)?.phones.isEmpty == true)
        #expect(try await stage.recoveries.invite(cookie, client: stage.client)?.link?.drawing != nil)
        #expect(await stage.server.redeem(try stage.token(), for: .registration).statusCode == .ok)
        stage.server.clock.advance(by: OpenIDSettings.Recovery.openTime)
        #expect(try await stage.recoveries.shown(cookie) == nil)
    }

    @Test("A second invitation ends the first; a key that is registered ends the recovery")
    func invitations() async throws {
        let stage = try await RecoveryStage()
        let cookie = try await stage.opened()
        _ = try await stage.recoveries.invite(cookie, client: stage.client)
        let first = try stage.token()
        _ = try await stage.recoveries.invite(cookie, client: stage.client)
        #expect(await stage.server.redeem(first, for: .registration).statusCode != .ok)
        let other = try SyntheticAuthenticator()
        #expect(try await stage.server.register(other, for: stage.user) == .ok)
        #expect(try await stage.recoveries.shown(cookie) == nil)
        #expect(try await stage.recoveries.invite(cookie, client: stage.client) == nil)
    }

    @Test("“This was not me” ends recovery, invitation and all codes; so does another browser's login of the user")
    func ended() async throws {
        let stage = try await RecoveryStage()
        #expect(try await !stage.recoveries.end(by: stage.grant, client: stage.client))
        let cookie = try await stage.opened()
        _ = try await stage.recoveries.invite(cookie, client: stage.client)
        #expect(try await stage.recoveries.account(of: stage.user.id).recovery != nil)
        #expect(try await stage.recoveries.end(by: stage.grant, client: stage.client))
        #expect(await stage.server.redeem(try stage.token(), for: .registration).statusCode != .ok)
        #expect(try await stage.recoveries.shown(cookie) == nil)
        #expect(try await stage.recoveries.account(of: stage.user.id) == (codes: 0, recovery: nil))
        #expect(try await stage.begin(stage.codes[1].text) == nil)
        let records = try await stage.kinds()
        for kind in ["RECOVERY_CODES_MADE", "RECOVERY_BEGUN", "RECOVERY_INVITED", "RECOVERY_ENDED"] {
            #expect(records.contains { $0.contains(kind) }, "\(kind)")
        }
    }

    /// What ends a recovery by itself.
    enum Blow: CaseIterable { case locked, unlocked, sessionsEnded, passwordSet, removed, keysReplaced }

    @Test(
        "A lock, the end of all logins, a removal and new keys of the server end it, for good", arguments: Blow.allCases
    )
    func blows(blow: Blow) async throws {
        let stage = try await RecoveryStage()
        let cookie = try await stage.opened()
        #expect(try await stage.recoveries.shown(cookie) != nil)
        let users = stage.server.services.users
        switch blow {
        case .locked: try await users.lock(named: "jeff")
        case .unlocked:
            try await users.lock(named: "jeff")
            try await users.unlock(named: "jeff")
        case .sessionsEnded: try await users.endSessions(ofUserNamed: "jeff")
        case .passwordSet: try await users.setPassword("long enough a password", named: "jeff")
        case .removed: try await users.remove(named: "jeff")
        case .keysReplaced: try await stage.server.services.replaceKeys()
        }
        #expect(try await stage.recoveries.shown(cookie) == nil)
        #expect(try await stage.recoveries.invite(cookie, client: stage.client) == nil)
    }

    @Test("Unknown names, locked users, wrong and used codes get one answer")
    func enumeration() async throws {
        let stage = try await RecoveryStage()
        _ = try await stage.begin(stage.codes[0].text)
        let locked = try await stage.server.services.users.add(name: "lena")
        let lenas = try #require(
            try await stage.recoveries.makeCodes(by: RecoveryStage.grant(locked, stage.server), client: stage.client))
        try await stage.server.services.users.lock(named: "lena")
        let wrong = RecoveryCode(from: stage.server.random).text
        for (name, code) in [
            ("absent", wrong), ("jeff", wrong), ("jeff", stage.codes[0].text), ("lena", lenas[0].text), ("", ""),
            ("jeff\u{0}", wrong), (String(repeating: "x", count: 9_000), wrong), ("jeff", lenas[1].text),
        ] {
            let client = ClientContext(address: "198.51.100.\(name.utf8.count % 200)")
            let answer = try await stage.recoveries.begin(name: name, code: code, client: client)
            guard case .wrong = answer else {
                Issue.record("\(name) \(code): \(answer)")
                continue
            }
        }
    }

    @Test(
        "Of 200 wrong codes at the same time five are judged, for known and unknown names; another address is free",
        arguments: ["jeff", "absent"])
    func parallelWrong(name: String) async throws {
        let stage = try await RecoveryStage()
        let wrong = (0..<200).map { _ in RecoveryCode(from: stage.server.random).text }
        let judged = try await withThrowingTaskGroup(of: Bool.self) { group in
            for code in wrong {
                group.addTask {
                    let answer = try await stage.recoveries.begin(name: name, code: code, client: stage.client)
                    if case .wrong = answer { return true }
                    return false
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(judged == 5)
        #expect(try await stage.begin(stage.codes[0].text, name: name) == nil)
        let elsewhere = ClientContext(address: "203.0.113.9")
        #expect((try await stage.begin(stage.codes[0].text, name: name, from: elsewhere) != nil) == (name == "jeff"))
        stage.server.clock.advance(by: .seconds(901))
        #expect((try await stage.begin(stage.codes[1].text, name: name) != nil) == (name == "jeff"))
    }

    @Test("One code used twice at the same time begins one recovery", arguments: StoredDatabase.allCases)
    func parallelRight(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let stage = try await RecoveryStage(.empty(opened.database))
        let cookies = try await withThrowingTaskGroup(of: Sensitive<String>?.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await stage.begin(
                        stage.codes[0].text, from: ClientContext(address: "192.0.2.\(number)"))
                }
            }
            return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        #expect(cookies.count == 1)
        #expect(try await stage.recoveries.account(of: stage.user.id).codes == 7)
        #expect(try await stage.kinds().count { $0.contains("RECOVERY_BEGUN") } == 1)
    }

    @Test("A clock that is set back or ahead neither shortens nor prolongs the wait, and another process sees it")
    func clocks() async throws {
        let boot = ManualBootClock()
        let stage = try await RecoveryStage(monotonic: boot)
        let cookie = try #require(try await stage.begin(stage.codes[0].text))
        for step in [Duration.seconds(-7 * 86_400), .seconds(30 * 86_400), .seconds(-23 * 86_400)] {
            stage.server.clock.advance(by: step)
            #expect(try await stage.recoveries.shown(cookie)?.isOpen == false)
        }
        boot.advance(by: .seconds(86_401))
        #expect(try await stage.recoveries.shown(cookie)?.isOpen == true)
    }

    @Test("A second server on the database goes on in the middle of the wait, and after it")
    func restart() async throws {
        let stage = try await RecoveryStage()
        let cookie = try #require(try await stage.begin(stage.codes[0].text))
        let other = try RecoveryStage.service(
            try await TestServer(authenticators: [stage.phone], store: .of(stage.server)))
        #expect(try await other.shown(cookie)?.isOpen == false)
        stage.server.clock.advance(by: .seconds(86_400))
        #expect(try await other.shown(cookie)?.isOpen == true)
        #expect(try await other.invite(cookie, client: stage.client) != nil)
    }

    @Test("What a system vouches for is taken up once, by its code, in the wait and after it")
    func vouched() async throws {
        let stage = try await RecoveryStage()
        let portal = try #require(AccessKeyName("portal"))
        let (code, _) = try await stage.recoveries.vouch(for: stage.user, by: portal, client: stage.client)
        #expect(try await stage.recoveries.account(of: stage.user.id).recovery != nil)
        stage.server.clock.advance(by: .seconds(86_400))
        let cookie = try #require(try await stage.begin(code.text))
        #expect(try await stage.recoveries.shown(cookie)?.isOpen == true)
        #expect(try await stage.begin(code.text) == nil)
        #expect(try await stage.kinds().contains { $0.contains("RECOVERY_BEGUN") && $0.contains("key:portal") })
        try await stage.server.services.users.lock(named: "jeff")
        await #expect(throws: ServerError.policyViolation) {
            try await stage.recoveries.vouch(for: stage.user, by: portal, client: stage.client)
        }
    }
}
