import Testing

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Cookies of one operation")
struct SessionRecordTests {
    private let now: Int64 = 1_800_000_000
    private let address = URL(string: "https://a.example/auth/x")

    private func cookie(_ value: String, domain: String) throws -> HTTPCookie {
        try #require(HTTPCookie(properties: [.name: "s", .value: value, .domain: domain, .path: "/"]))
    }

    @Test("Cookies go to the host they belong to and to no other")
    func hosts() throws {
        let provider = CookieAuthorizationProvider([
            try cookie("own", domain: "a.example"), try cookie("foreign", domain: "b.example"),
        ])
        let record = SessionRecord(try SessionCredentials(provider), now: now)
        #expect(record.cookieField(for: try #require(address), now: now) == "s=own")
    }

    @Test("What the last answer set is returned, else what is held")
    func returned() throws {
        let url = try #require(address)
        var record = SessionRecord(.none, now: now)
        #expect(record.openedCookies(for: url, now: now) == nil)
        record.take(["first=1; Path=/; Secure; HttpOnly"], from: url, now: now)
        record.take([], from: url, now: now)
        #expect(record.cookies(for: url, now: now).map(\.name) == ["first"])
        record.take(["second=2; Path=/"], from: url, now: now)
        #expect(record.cookies(for: url, now: now).map(\.name) == ["second"])
        #expect(record.cookieField(for: url, now: now) == "first=1; second=2")
    }

    @Test("D-L1: cookies for other domains and deleted ones do not go to the application")
    func foreignCookies() throws {
        let url = try #require(address)
        var record = SessionRecord(.none, now: now)
        record.take(
            [
                "own=1; Path=/", "wide=2; Path=/; Domain=a.example", "other=3; Path=/; Domain=other.example",
                "parent=4; Path=/; Domain=example", "gone=5; Path=/; Max-Age=0",
            ], from: url, now: now)
        #expect(record.cookies(for: url, now: now).map(\.name) == ["own", "wide"])
        #expect(record.openedCookies(for: url, now: now)?.map(\.name) == ["own", "wide"])
        record.take(["own=; Path=/; Max-Age=0"], from: url, now: now)
        #expect(record.cookies(for: url, now: now).map(\.name) == ["wide"])
    }

    @Test("D-L1: an answer whose cookies are all refused opens no session")
    func onlyForeignCookies() throws {
        let url = try #require(address)
        var record = SessionRecord(.none, now: now)
        record.take(["other=3; Path=/; Domain=other.example"], from: url, now: now)
        #expect(record.openedCookies(for: url, now: now) == nil)
        #expect(record.cookies(for: url, now: now).isEmpty)
    }

    @Test("A token that could smuggle in another field is refused", arguments: ["", "a b", "a\r\nX: y", "ä"])
    func badToken(token: String) {
        #expect(throws: CeremonyFailure.self) { try SessionCredentials(JwtAuthorizationProvider(token)) }
    }
}
