import HTTPTypes
import HummingbirdTesting
import ServerCore
import StrictJSON
import Testing
import UAFService

@testable import ServerHTTP

@Suite("Routes: authorization, cookies and origins")
struct AuthorizationTests {
    private static let registration = "/nevisfido/uaf/1.1/request/registration"
    private static let anna = #"{"op":"Reg","context":"{\"username\":\"anna\"}"}"#

    @Test("A registration without authorization is refused with 401 and WWW-Authenticate")
    func missing() async throws {
        try await ServerFixture.open().test { client in
            let answer = try await client.post(Self.registration, Self.anna)
            #expect(answer.status == .unauthorized)
            #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
        }
    }

    @Test(
        "An authorization that does not hold is refused with 401, also beside a good cookie",
        arguments: ["Bearer x.y.z", "Bearer ", "Basic YTpi", "x", "Bearer"])
    func invalid(field: String) async throws {
        try await ServerFixture.open().test { client in
            let cookie = try await client.logIn()
            let answer = try await client.post(
                Self.registration, Self.anna, headers: [.authorization: field, .cookie: cookie])
            #expect(answer.status == .unauthorized)
        }
    }

    @Test("The cookie of a password login lets its user register")
    func cookie() async throws {
        try await ServerFixture.open().test { client in
            let cookie = try await client.logIn()
            for field in [cookie, "a=b; \(cookie); c=d"] {
                let answer = try await client.post(Self.registration, Self.anna, headers: [.cookie: field])
                #expect(answer.status == .ok)
                #expect(answer.uafStatus == 1200)
            }
            let forged = try await client.post(Self.registration, Self.anna, headers: [.cookie: cookie + "x"])
            #expect(forged.status == .unauthorized)
        }
    }

    @Test("The authorization of another user yields UAF status 1401 with HTTP 200")
    func otherUser() async throws {
        let server = try await ServerFixture.open()
        try await server.services.users.add(name: "bob")
        try await server.test { client in
            let answer = try await client.post(
                Self.registration, #"{"op":"Reg","context":"{\"username\":\"bob\"}"}"#,
                headers: [.cookie: try await client.logIn()])
            #expect(answer.status == .ok)
            #expect(answer.uafStatus == 1401)
        }
    }

    @Test("A cookie with a foreign Origin is refused with 403, with our own it is taken")
    func origin() async throws {
        try await ServerFixture.open().test { client in
            let cookie = try await client.logIn()
            for (origin, status) in [
                ("https://evil.example", HTTPResponse.Status.forbidden), ("null", .forbidden),
                ("https://server.example.evil.example", .forbidden), ("http://server.example", .forbidden),
                ("https://server.example", .ok),
            ] {
                let answer = try await client.post(
                    Self.registration, Self.anna, headers: [.cookie: cookie, .origin: origin])
                #expect(answer.status == status, "\(origin)")
            }
        }
    }

    @Test("A deregistration by a password login is refused with UAF status 1401, without authorization with 401")
    func deregistration() async throws {
        try await ServerFixture.open().test { client in
            let path = "/nevisfido/uaf/1.1/request/deregistration"
            let body = #"{"op":"Dereg","context":"{\"username\":\"anna\",\"mode\":\"username\"}"}"#
            #expect(try await client.post(path, body).status == .unauthorized)
            let answer = try await client.post(path, body, headers: [.cookie: try await client.logIn()])
            #expect(answer.status == .ok)
            #expect(answer.uafStatus == 1401)
        }
    }

    @Test("The password login sets a cookie that scripts and other sites do not get")
    func cookieAttributes() async throws {
        try await ServerFixture.open().test { client in
            let answer = try await client.post(
                "/_app/auth/pwd", "isiwebuserid=anna&isiwebpasswd=correct+horse+battery+staple",
                type: ServiceClient.form, accept: "application/json")
            #expect(answer.status == .ok)
            #expect(try answer.text("status") == "SUCCEEDED")
            #expect(try answer.text("extId") == "ext-anna")
            let cookies = answer.headers[values: .setCookie]
            for (name, age) in [("__Host-signet=", 900), ("__Host-signet-known=", 90 * 86_400)] {
                let cookie = try #require(cookies.first { $0.hasPrefix(name) })
                #expect(cookie.hasSuffix("; Max-Age=\(age); Path=/; Secure; HttpOnly; SameSite=Strict"))
            }
        }
    }

    @Test("A wrong password, an unknown user and a foreign page get no cookie")
    func refusedLogins() async throws {
        try await ServerFixture.open().test { client in
            let bodies = ["isiwebuserid=anna&isiwebpasswd=wrong", "isiwebuserid=absent&isiwebpasswd=wrong"]
            for body in bodies {
                let answer = try await client.post("/auth/pwd", body, type: ServiceClient.form, accept: nil)
                #expect(answer.status == .unauthorized)
                #expect(answer.headers[.setCookie] == nil)
            }
            let foreign = try await client.post(
                "/auth/pwd", "isiwebuserid=anna&isiwebpasswd=correct+horse+battery+staple",
                type: ServiceClient.form, accept: nil, headers: [.origin: "https://evil.example"])
            #expect(foreign.status == .forbidden)
            #expect(foreign.headers[.setCookie] == nil)
        }
    }

    @Test("S-M12: A logout ends the session of the cookie and clears it, also when there is none any more")
    func logout() async throws {
        let server = try await ServerFixture.open()
        try await server.test { client in
            let (cookie, other) = (try await client.logIn(), try await client.logIn())
            for path in ["/auth/logout", "/_app/auth/logout/", "/nevisfido/auth/logout"] {
                let answer = try await client.post(path, "", type: nil, accept: nil, headers: [.cookie: cookie])
                #expect(answer.status == .noContent)
                #expect(
                    answer.headers[.setCookie]
                        == "__Host-signet=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Strict")
                let refused = try await client.post(Self.registration, Self.anna, headers: [.cookie: cookie])
                #expect(refused.status == .unauthorized)
            }
            #expect(try await client.post("/auth/logout", "", type: nil, accept: nil).status == .noContent)
            let untouched = try await client.post(Self.registration, Self.anna, headers: [.cookie: other])
            #expect(untouched.uafStatus == 1200, "the other session of the user goes on")
        }
        #expect(try await server.auditKinds().count { $0 == "SESSION_ENDED" } == 1)
    }

    @Test("S-M12: A logout by a page of another origin, or with a token, ends nothing")
    func refusedLogout() async throws {
        try await ServerFixture.open().test { client in
            let cookie = try await client.logIn()
            let foreign = try await client.post(
                "/auth/logout", "", type: nil, accept: nil,
                headers: [.cookie: cookie, .origin: "https://evil.example"])
            #expect(foreign.status == .forbidden)
            let byToken = try await client.post(
                "/auth/logout", "", type: nil, accept: nil, headers: [.cookie: cookie, .authorization: "Bearer a.b.c"])
            #expect(byToken.status == .badRequest)
            let own = try await client.post(Self.registration, Self.anna, headers: [.cookie: cookie])
            #expect(own.uafStatus == 1200)
        }
    }

    @Test("S-L3: The cookie that ties a login to its request never replaces a session")
    func bindingCookie() async throws {
        try await ServerFixture.open().test { client in
            let session = try await client.logIn()
            let answer = try await client.post(
                "/auth/fidouaf", #"{"username":"anna"}"#, type: "application/json", accept: "application/json")
            #expect(answer.cookie.hasPrefix("__Host-signet-request="))
            let both = "\(session); \(answer.cookie)"
            for field in [both, answer.cookie] {
                let open = try await client.post(
                    "/nevisfido/uaf/1.1/request/authentication", #"{"op":"Auth","context":"{}"}"#,
                    headers: [.cookie: field])
                #expect(open.status == .ok)
            }
            let registration = try await client.post(Self.registration, Self.anna, headers: [.cookie: both])
            #expect(registration.uafStatus == 1200)
        }
    }

    @Test("The password login is not there unless it is switched on")
    func switchedOff() async throws {
        try await ServerFixture.open { $0.passwordLogin = nil }.test { client in
            let answer = try await client.post("/auth/pwd", "a=b", type: ServiceClient.form, accept: nil)
            #expect(answer.status == .notFound)
        }
    }
}
