import BackendAPI
import MobileAuthentication
import Testing

@Suite("Authorization and session providers")
struct ProviderTests {
    private func cookie(_ name: String, _ value: String, domain: String = "a.example") throws -> HTTPCookie {
        try #require(
            HTTPCookie(properties: [
                .name: name, .value: value, .domain: domain, .path: "/", .secure: "TRUE",
                HTTPCookiePropertyKey("HttpOnly"): "TRUE",
            ]))
    }

    @Test("Cookies survive coding with their properties")
    func cookieCoding() throws {
        let provider = CookieAuthorizationProvider([try cookie("session", "abc")])
        let data = try JSONEncoder().encode(provider)
        let copy = try JSONDecoder().decode(CookieAuthorizationProvider.self, from: data)
        #expect(copy.cookies.first?.value == "abc")
        #expect(copy.cookies.first?.isSecure == true)
        #expect(copy.cookies.first?.isHTTPOnly == true)
        #expect(copy.cookies.first?.domain == "a.example")
    }

    @Test("A token survives coding and is not in the description")
    func tokenCoding() throws {
        let provider = JwtAuthorizationProvider("x.y.z")
        let data = try JSONEncoder().encode(provider)
        #expect(try JSONDecoder().decode(JwtAuthorizationProvider.self, from: data) == provider)
        #expect(!"\(provider)".contains("x.y.z"))
        var dumped = ""
        dump(provider, to: &dumped)
        #expect(!dumped.contains("x.y.z"))
    }
}
