import Octets
import StrictJSON
import TestSupport
import Testing
import UAF

@testable import ServerCore

@Suite("Members of the audit that name a person are sealed, and opened until the person is erased")
struct AuditSubjectTests {
    private static let count = 300

    private let random = SeededRandom(seed: 48)

    private func choice<Value>(_ values: [Value]) -> Value { values[Int(random.bytes(count: 1)[0]) % values.count] }

    private func name(_ number: Int) throws -> UserName {
        try #require(UserName("\(choice(["änna", "b\"ob", "<eve>", "名前", "o'neil"]))\(number)-unseen"))
    }

    private func person(_ number: Int) throws -> User {
        User(
            id: UserID(from: random), name: try name(number), externalID: try name(1_000 + number),
            createdAt: Timestamp(seconds: 1), auditKey: AuditSubjectKey(from: random))
    }

    private func event(about user: User, _ number: Int) -> AuditEvent {
        var client = ClientContext()
        if choice([true, false]) { client.address = "192.0.2.\(number % 250)" }
        if choice([true, false]) { client.userAgent = "Browser-unseen \(number)\n" }
        var event = AuditEvent(
            choice(AuditEvent.Kind.allCases), at: Timestamp(milliseconds: Int64(number) * 7_919), client: client)
        if choice([true, false]) { event.reason = "reason \(number)" }
        if choice([true, false]) { event.ceremonyID = CeremonyID(from: random) }
        return event.about(user)
    }

    @Test(
        "Any event, any person: the record has no name, its key opens it, and erasure leaves time, kind and identifier")
    func property() throws {
        let people = try (0..<5).map { try person($0) }
        let keys = Dictionary(
            uniqueKeysWithValues: people.map { ($0.id, AuditSubject.key($0.auditKey ?? AuditSubjectKey(from: random))) }
        )
        for number in 0..<Self.count {
            let (user, erased) = (choice(people), choice(people))
            let event = event(about: user, number)
            let record = AuditRecord(chainID: "main", after: nil, event: event.json)
            #expect(!String(decoding: record.event, as: UTF8.self).contains("unseen"))
            let entry = try AuditEntry(record)
            let opened = entry.opened(by: keys)
            #expect(opened["username"] == user.name.text && opened["externalId"] == user.externalID.text)
            #expect(opened["clientIp"] == event.client.address && opened["userAgent"] == event.client.userAgent)
            #expect(opened["sealed"] == nil && opened["reason"] == event.reason)
            var left = keys
            left[erased.id] = .erased(at: event.at)
            let shown = entry.opened(by: left)
            guard erased.id == user.id else {
                #expect(shown == opened)
                continue
            }
            #expect(
                shown.event["erased"] == .bool(true) && shown.userID == user.id && shown.kind == event.kind.rawValue)
            #expect(shown["username"] == nil && shown["sealed"] == nil && shown["clientIp"] == nil)
        }
    }

    @Test("What was sealed for one record opens in no other, and with no other key")
    func binding() throws {
        let (anna, bert) = (try person(1), try person(2))
        let event = event(about: anna, 1)
        let sealed = try #require(try AuditEntry(AuditRecord(chainID: "m", after: nil, event: event.json))["sealed"])
        let other: [UserID: AuditSubject] = [anna.id: .key(try #require(bert.auditKey))]
        let own: [UserID: AuditSubject] = [anna.id: .key(try #require(anna.auditKey))]
        for (kind, at, keys) in [
            ("SIGNED_IN", "1970-01-01T00:00:09.999Z", own), (event.kind.rawValue, event.at.iso8601, other),
        ] {
            let moved: JSONObject = [
                "ts": .string(at), "event": .string(kind), "userId": .string(anna.id.text), "sealed": .string(sealed),
            ]
            let record = AuditRecord(chainID: "m", after: nil, event: JSONWriter.write(.object(moved)))
            #expect(try AuditEntry(record).opened(by: keys).event == moved)
        }
    }

    @Test("An event about a user without a key has no name in it; an event about no user has its address")
    func withoutKey() throws {
        let client = ClientContext(address: "192.0.2.7")
        let about = AuditEvent(.signedIn, at: Timestamp(seconds: 1), userID: UserID(from: random), client: client)
        #expect(about.userWithoutKey == about.userID)
        #expect(!String(decoding: about.json, as: UTF8.self).contains("192.0.2.7"))
        let counted = AuditEvent(.refusalsCounted, at: Timestamp(seconds: 1), client: client)
        #expect(String(decoding: counted.json, as: UTF8.self).contains("192.0.2.7"))
    }
}
