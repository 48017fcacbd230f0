import HTTPTypes
import Octets
import Testing

@testable import PhonePage

@Suite("The guard of the phone page lets in the browser of the person, and no other")
struct PhonePageGuardTests {
    private static let port = 40_123
    private let secrets = PhonePageSecrets()
    private let host = PhonePageHost.fresh
    private var guards: PhonePageGuard { PhonePageGuard(host: host, port: Self.port, secrets: secrets) }

    private func request(
        _ path: String, _ method: HTTPRequest.Method = .get, changing fields: [(String, String?)] = []
    ) -> PhonePageRequest {
        let own: [(String, String?)] = [
            ("Host", "\(host.address):\(Self.port)"),
            ("Cookie", "\(PhonePageGuard.cookieName)=\(secrets.holder.reveal())"),
            (PhonePageGuard.tokenField, secrets.page.reveal()), ("Sec-Fetch-Site", "same-origin"),
        ]
        var headers = HTTPFields()
        for (name, value) in own + fields { HTTPField.Name(name).map { headers[$0] = value } }
        return PhonePageRequest(method: method, path: path, headers: headers)
    }

    private func admits(_ request: PhonePageRequest) -> Bool {
        PhonePageURL(path: request.path).map { guards.admits(request, to: $0) } ?? false
    }

    @Test(
        "Every place is reached with cookie and token",
        arguments: [
            ("/", HTTPRequest.Method.get), ("/page.css", .get), ("/page.js", .get), ("/texts.js", .get),
            ("/state", .get),
            ("/action", .post), ("/secret", .post), ("/scan", .post), ("/open", .get),
        ])
    func admitted(path: String, method: HTTPRequest.Method) { #expect(admits(request(path, method))) }

    @Test(
        "A name that resolves to loopback is refused (DNS rebinding)",
        arguments: [
            "evil.example", "evil.example:40123", "127.0.0.1.nip.io:40123", "[::1]:40123", "localhost:40123",
            "127.0.0.1", "127.0.0.1:40123", "127.0.0.2:40123", "",
        ])
    func foreignHost(host: String) {
        for path in ["/", "/state", "/open", "/begin/\(secrets.entry.reveal())"] {
            #expect(!admits(request(path, changing: [("Host", host)])))
        }
    }

    @Test("The host of another start, and the own one at another port, are refused")
    func otherStart() {
        for other in ["\(PhonePageHost.fresh.address):\(Self.port)", "\(host.address):\(Self.port + 1)", host.address] {
            #expect(!admits(request("/state", changing: [("Host", other)])))
        }
    }

    @Test("A request without Host and one with two are refused")
    func hostCount() {
        #expect(!admits(request("/state", changing: [("Host", nil)])))
        var twice = request("/state").headers
        twice += twice.filter { $0.name.canonicalName == "host" }
        #expect(!admits(PhonePageRequest(method: .get, path: "/state", headers: twice)))
    }

    @Test("A request of another site is refused", arguments: ["cross-site", "same-site", "Same-Origin", ""])
    func foreignSite(site: String) {
        #expect(!admits(request("/action", .post, changing: [("Sec-Fetch-Site", site)])))
        #expect(!admits(request("/state", changing: [("Sec-Fetch-Site", site)])))
        #expect(!admits(request("/page.js", changing: [("Sec-Fetch-Site", site)])))
    }

    @Test(
        "A foreign origin is refused, and the own one is not",
        arguments: ["null", "http://evil.example", "http://localhost:40123", "http://127.0.0.1:40123", ""])
    func foreignOrigin(origin: String) {
        #expect(!admits(request("/action", .post, changing: [("Origin", origin)])))
        #expect(admits(request("/action", .post, changing: [("Origin", "http://\(host.address):\(Self.port)")])))
    }

    @Test("A missing, another and a doubled cookie are refused")
    func cookies() {
        let right = "\(PhonePageGuard.cookieName)=\(secrets.holder.reveal())"
        #expect(!admits(request("/state", changing: [("Cookie", nil)])))
        #expect(!admits(request("/state", changing: [("Cookie", "\(PhonePageGuard.cookieName)=AAAA")])))
        #expect(!admits(request("/state", changing: [("Cookie", "signet-phone-1=\(secrets.holder.reveal())")])))
        #expect(!admits(request("/state", changing: [("Cookie", "\(right); \(right)")])))
        #expect(admits(request("/state", changing: [("Cookie", "other=1; \(right)")])))
    }

    @Test("The cookie alone, as another port of the host may get it, reaches neither state nor actions")
    func cookieWithoutToken() {
        for (path, method) in [
            ("/state", HTTPRequest.Method.get), ("/action", .post), ("/secret", .post), ("/scan", .post),
        ] {
            #expect(!admits(request(path, method, changing: [(PhonePageGuard.tokenField, nil)])))
            #expect(!admits(request(path, method, changing: [(PhonePageGuard.tokenField, "AAAA")])))
        }
    }

    @Test("The secret of the address lets in once; a wrong one does not use it up")
    func entry() {
        let entry = "/begin/\(secrets.entry.reveal())"
        let plain: [(String, String?)] = [("Cookie", nil), (PhonePageGuard.tokenField, nil)]
        #expect(!admits(request("/begin/AAAA", changing: plain)))
        #expect(!admits(request("/begin/", changing: plain)))
        #expect(admits(request(entry, changing: plain)))
        #expect(!admits(request(entry, changing: plain)))
    }

    @Test("A frame, a script and a fetch do not get the hand-over; a link that is opened does")
    func handOver() {
        let link: [(String, String?)] = [
            ("Cookie", nil), (PhonePageGuard.tokenField, nil), ("Sec-Fetch-Site", "cross-site"),
            ("Sec-Fetch-Mode", "navigate"),
        ]
        #expect(admits(request("/open", changing: link + [("Sec-Fetch-Dest", "document")])))
        #expect(!admits(request("/open", changing: link + [("Sec-Fetch-Dest", "iframe")])))
        #expect(!admits(request("/open", changing: link + [("Sec-Fetch-Mode", "no-cors")])))
        #expect(!admits(request("/open", changing: link + [("Origin", "http://evil.example")])))
    }

    @Test("An upgrade to a WebSocket and a wrong method are refused")
    func upgradeAndMethod() {
        #expect(!admits(request("/state", changing: [("Upgrade", "websocket")])))
        #expect(!admits(request("/action", .get)))
        #expect(!admits(request("/", .post)))
        #expect(!admits(request("/state", .options)))
    }

    @Test("Two pages have other secrets, and a description shows none")
    func secrecy() {
        #expect(secrets.holder.reveal() != PhonePageSecrets().holder.reveal())
        #expect(secrets.holder.reveal().utf8.count == 43)
        let address = PhonePageAddress(host: host, port: Self.port, entry: secrets.entry)
        #expect(!String(reflecting: address).contains(secrets.entry.reveal()))
        #expect(!String(reflecting: PhonePageURL.entry(secrets.entry.reveal())).contains(secrets.entry.reveal()))
    }
}
