import BackendAPI
import Testing

@Suite("The cookie jar (RFC 6265, 5.1.3, 5.1.4, 5.3 and 5.4)")
struct CookieJarTests {
    private static let now: Int64 = 1_800_000_000

    private func jar(_ cookies: String..., host: String = "login.example.com", path: String = "/auth/pwd") throws
        -> CookieJar
    {
        var jar = CookieJar()
        for text in cookies {
            jar.store(
                try SetCookie(parsing: text, strictness: .userAgent), host: host, path: path, now: Self.now)
        }
        return jar
    }

    private func sent(_ jar: CookieJar, host: String = "login.example.com", path: String = "/", after: Int64 = 0)
        -> String?
    {
        jar.fieldValue(host: host, path: path, now: Self.now + after)
    }

    @Test("A cookie without a domain goes back to its host only")
    func hostOnly() throws {
        let jar = try jar("a=b; Path=/")
        #expect(sent(jar) == "a=b")
        #expect(sent(jar, host: "LOGIN.example.com") == "a=b")
        #expect(sent(jar, host: "a.login.example.com") == nil)
        #expect(sent(jar, host: "example.com") == nil)
    }

    @Test("A cookie with a domain goes to its subdomains, and only a host inside may set it")
    func domains() throws {
        let jar = try jar("a=b; Path=/; Domain=.Example.com")
        #expect(sent(jar, host: "example.com") == "a=b")
        #expect(sent(jar, host: "x.y.example.com") == "a=b")
        #expect(sent(jar, host: "badexample.com") == nil)
        for foreign in ["other.example.com", "com", "ogin.example.com", "evil.com", "x.login.example.com"] {
            #expect(sent(try self.jar("a=b; Path=/; Domain=\(foreign)")) == nil, "\(foreign)")
        }
    }

    @Test("Addresses have no subdomains")
    func addresses() throws {
        let own = try jar("a=b; Path=/; Domain=127.0.0.1", host: "127.0.0.1")
        #expect(sent(own, host: "127.0.0.1") == "a=b")
        let foreign = try jar("a=b; Path=/; Domain=0.0.1", host: "127.0.0.1")
        #expect(sent(foreign, host: "127.0.0.1") == nil)
    }

    @Test("Paths match by whole segments; without one the folder of the request counts")
    func paths() throws {
        let jar = try jar("a=b; Path=/app")
        #expect(sent(jar, path: "/app") == "a=b")
        #expect(sent(jar, path: "/app/x?y=/z") == "a=b")
        #expect(sent(jar, path: "/application") == nil)
        #expect(sent(jar, path: "/") == nil)
        let byFolder = try self.jar("a=b", path: "/auth/pwd?next=/x/y")
        #expect(sent(byFolder, path: "/auth/other") == "a=b")
        #expect(sent(byFolder, path: "/nevisfido") == nil)
        #expect(sent(try self.jar("a=b", path: "/login"), path: "/anything") == "a=b")
    }

    @Test("Longer paths go first, then the earlier cookie; a repeated cookie is replaced")
    func order() throws {
        let jar = try jar("a=1; Path=/", "b=2; Path=/auth", "c=3; Path=/", "a=4; Path=/", path: "/auth/pwd")
        #expect(sent(jar, path: "/auth/x") == "b=2; c=3; a=4")
    }

    @Test("Max-Age goes before Expires; a cookie that has expired is not sent and removes its predecessor")
    func expiry() throws {
        let jar = try jar("a=b; Path=/; Max-Age=10; Expires=Wed, 09 Jun 2021 10:18:14 GMT")
        #expect(sent(jar, after: 9) == "a=b")
        #expect(sent(jar, after: 10) == nil)
        #expect(sent(try self.jar("a=b; Path=/; Expires=Wed, 09 Jun 2021 10:18:14 GMT")) == nil)
        #expect(sent(try self.jar("a=b; Path=/", "a=; Path=/; Max-Age=0")) == nil)
        #expect(sent(try self.jar("a=b; Path=/; Max-Age=9223372036854775807")) == "a=b")
        #expect(sent(try self.jar("a=b; Path=/; Max-Age=-9223372036854775808")) == nil)
    }

    @Test("A jar holds no more cookies than it may")
    func limit() throws {
        var jar = CookieJar()
        for number in 0..<(CookieJar.maximumCount + 5) {
            let cookie = try SetCookie(parsing: "n\(number)=v; Path=/", strictness: .userAgent)
            jar.store(cookie, host: "a.example", path: "/", now: Self.now)
        }
        #expect(jar.cookies(host: "a.example", path: "/", now: Self.now).count == CookieJar.maximumCount)
    }

    @Test("Cookies that an app hands in become one field")
    func handedIn() throws {
        let cookies = try ["a=b; Path=/; Secure", "c=d"].map { try SetCookie(parsing: $0, strictness: .grammar) }
        #expect(CookieJar.fieldValue(cookies) == "a=b; c=d")
        #expect(CookieJar.fieldValue([]) == nil)
    }
}
