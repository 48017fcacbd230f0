import BackendAPI
import StrictJSON
import Testing

@Suite("Versions of applications")
struct ApplicationVersionTests {
    @Test(
        "Numbers are compared as numbers, and one that is missing is zero",
        arguments: [("1.9", "1.10"), ("1", "1.0.0.1"), ("5.2.0", "6"), ("0", "0.0.1"), ("1.2.3", "1.2.3.1")])
    func order(older: String, newer: String) throws {
        let (old, new) = (try #require(ApplicationVersion(older)), try #require(ApplicationVersion(newer)))
        #expect(old < new && !(new < old) && old != new)
    }

    @Test("Versions that are the same number are equal, however they are written")
    func equality() throws {
        let written = ["5.2", "5.2.0", "5.2.0.0", "05.002"].compactMap { ApplicationVersion($0) }
        #expect(written.count == 4 && Set(written).count == 1)
        #expect(written.map(\.text) == ["5.2", "5.2.0", "5.2.0.0", "05.002"])
    }

    @Test(
        "Anything else is no version",
        arguments: [
            "", ".", "1.", ".1", "1..2", "1.2.3.4.5", "v1", "1.2-beta", " 1", "1 ", "1,2", "-1", "+1", "1234567890",
            "١", "1\u{0}", String(repeating: "1", count: 100_000),
        ])
    func refused(text: String) {
        #expect(ApplicationVersion(text) == nil)
    }

    @Test("A statement is read as it was written; a member of another form is refused")
    func statement() throws {
        let version = try #require(ApplicationVersion("5.1"))
        let full = ApplicationVersionStatement(
            facet: "ios:bundle-id:a", version: version, verdict: .blocked, minimum: version, latest: version,
            storeAddress: "https://a.example", messages: ["en": "Please", "de": "Bitte"])
        #expect(try ApplicationVersionStatement(members: full.members) == full)
        let bare = ApplicationVersionStatement(
            facet: "a", version: version, verdict: .upToDate, minimum: nil, latest: nil, storeAddress: nil,
            messages: [:])
        #expect(try ApplicationVersionStatement(members: bare.members) == bare)
        let wrong: [JSONObject] = [
            ["facet": .string("a"), "version": .string("5.1"), "status": .string("fine")],
            ["facet": .string("a"), "version": .string("x"), "status": .string("blocked")],
            ["facet": .string("a"), "version": .integer(5), "status": .string("blocked")],
            ["facet": .string("a"), "status": .string("blocked")],
        ]
        for members in wrong {
            #expect(throws: JSONTypeError.self) { try ApplicationVersionStatement(members: members) }
        }
    }
}
