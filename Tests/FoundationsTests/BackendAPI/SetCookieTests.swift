import BackendAPI
import StrictJSON
import TestSupport
import Testing

@Suite("Set-Cookie (RFC 6265, 4.1.1, 5.1.1 and 5.2)", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct SetCookieTests {
    private static let knownMembers: Set = [
        "name", "value", "path", "domain", "secure", "httpOnly", "expires", "maxAge",
    ]

    private func cases(of file: String) throws -> [JSONObject] {
        try JSONParser.parse(VectorFolder.bytes(of: "cookies/\(file)"), limits: .document).asObject()
            .required("cases") { value throws(JSONTypeError) in
                try value.asNonEmptyArray { element throws(JSONTypeError) in try element.asObject() }
            }
    }

    @Test("The strict reader takes exactly what the grammar allows")
    func grammar() throws {
        for entry in try cases(of: "set-cookie.json") {
            let text = try entry.string("setCookie")
            let isInGrammar = try entry.required("grammar411") { value throws(JSONTypeError) in try value.asBool() }
            let cookie = try? SetCookie(parsing: text, strictness: .grammar)
            #expect((cookie != nil) == isInGrammar, "\(text.prefix(60))")
        }
    }

    @Test("The forgiving reader gives the stated cookie, ignores or refuses as stated")
    func parsing() throws {
        for entry in try cases(of: "set-cookie.json") {
            let text = try entry.string("setCookie")
            switch entry["parsed"] {
            case .object(let expected):
                try expect(SetCookie(parsing: text, strictness: .userAgent), is: expected, text)
            case .null, .string("refuse"):
                #expect(throws: BackendAPIError.refusedCookie, "\(text.prefix(60))") {
                    try SetCookie(parsing: text, strictness: .userAgent)
                }
                #expect(throws: BackendAPIError.refusedCookie) { try SetCookie(parsing: text, strictness: .grammar) }
            case nil: _ = try? SetCookie(parsing: text, strictness: .userAgent)
            case let other: Issue.record("unknown expectation \(String(describing: other))")
            }
        }
    }

    private func expect(_ cookie: SetCookie, is expected: JSONObject, _ text: String) throws {
        #expect(Set(expected.members.map(\.name)).isSubset(of: Self.knownMembers), "\(text.prefix(60))")
        #expect(try cookie.name == expected.string("name"))
        #expect(try cookie.value == expected.string("value"), "\(text.prefix(60))")
        #expect(cookie.path.map(JSONValue.string) ?? .null == expected["path"] ?? .null, "\(text.prefix(60))")
        #expect(cookie.domain.map(JSONValue.string) == expected["domain"], "\(text.prefix(60))")
        #expect(cookie.isSecure == (expected["secure"] == .bool(true)))
        #expect(cookie.isHTTPOnly == (expected["httpOnly"] == .bool(true)))
        #expect(try cookie.maxAge == expected.optionalInteger("maxAge"), "\(text.prefix(60))")
        #expect(try cookie.expires.map(Self.utc) == expected.optionalString("expires"), "\(text.prefix(60))")
    }

    @Test("Dates are read in every form that servers have sent, and refused when there is no such date")
    func dates() throws {
        for entry in try cases(of: "dates.json") {
            let text = try entry.string("text")
            let cookie = try SetCookie(parsing: "a=b; Expires=\(text)", strictness: .userAgent)
            let expected: String? = entry["utc"] == .null ? nil : try entry.string("utc")
            if let expected, expected < "1970" {
                #expect(cookie.expires.map { $0 < 0 } == true, "\(text)")
            } else {
                #expect(cookie.expires.map(Self.utc) == expected, "\(text)")
            }
        }
    }

    @Test("A date before 1970 is counted backwards")
    func earlyDate() throws {
        let cookie = try SetCookie(parsing: "a=b; Expires=01 Jan 1601 00:00:00", strictness: .userAgent)
        #expect(cookie.expires == -11_644_473_600)
    }

    @Test("A value longer than the limit is refused")
    func tooLong() {
        let text = "a=" + String(repeating: "x", count: SetCookie.maximumByteCount)
        for strictness in [SetCookie.Strictness.grammar, .userAgent] {
            #expect(throws: BackendAPIError.refusedCookie) { try SetCookie(parsing: text, strictness: strictness) }
        }
    }

    /// The calendar spelling of a moment, through the one place that writes it.
    private static func utc(_ seconds: Int64) -> String {
        let text = ErrorBody(timestamp: seconds * 1000, status: 500, code: .internalError).timestamp ?? ""
        return text.replacing(".000Z", with: "Z")
    }
}
