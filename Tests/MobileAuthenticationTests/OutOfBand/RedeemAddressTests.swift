import Foundation
import Testing

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Where a token may be redeemed (decisions 7)")
struct RedeemAddressTests {
    private typealias Address = RedeemAddress<RedeemURL>

    private let servers: [ServerAddress]

    init() throws {
        servers = try ["https://server.example/nevisfido", "https://server.example", "https://other.example:8443/x"].map
        {
            ServerAddress(try Fixtures.unwrap(URL(string: $0)))
        }
    }

    @Test(
        "An address with the origin of a known server is followed, at the server with the longest path",
        arguments: [
            ("https://server.example/nevisfido/token/redeem/authentication", 0),
            ("HTTPS://SERVER.example:443/nevisfido/token", 0), ("https://server.example/token", 1),
            ("https://other.example:8443/elsewhere?x=1", 2),
        ])
    func known(text: String, index: Int) {
        #expect(Address(text, among: servers)?.server == servers[index])
    }

    @Test("O-A3: a further origin of the configured server is followed, and the answer goes to the server itself")
    func furtherOrigin() throws {
        let origins = try ["https://gateway.example", "http://plain.example"].map {
            ServerAddress(try Fixtures.unwrap(URL(string: $0)))
        }
        let address = Address("https://gateway.example/t/authentication", at: origins, of: servers[0])
        #expect(address?.server == servers[0])
        #expect(address?.link.url.absoluteString == "https://gateway.example/t/authentication")
        for text in [
            "https://gateway.example:444/t", "http://plain.example/t", "https://gateway.example.evil.example/t",
        ] {
            #expect(Address(text, at: origins, of: servers[0]) == nil)
        }
        #expect(Address("https://gateway.example/t", among: servers) == nil)
    }

    @Test(
        "Nothing else is",
        arguments: [
            "http://server.example/nevisfido/token", "https://evil.example/nevisfido/token",
            "https://server.example:444/t",
            "https://server.example.evil.example/", "https://server.example@evil.example/",
            "https://evil.example@server.example/",
            "https://server.example\\@evil.example/", "https://server.example%2eevil.example/",
            "https://server%2eexample/t",
            "https://server.example./t", "https://127.0.0.1/t", "https://[::1]/t", "https://localhost/t",
            "https://0x7f000001/t",
            "https://169.254.169.254/latest/meta-data", "//server.example/t", "/token", "", " https://server.example/t",
            "https://server.example/t#x", "https:server.example/t", "https:///t", "ftp://server.example/t",
            "file:///etc/passwd",
            "https://s\u{0435}rver.example/t", "https://server.example/\u{0}t", "https://server.example/\r\nHost: evil",
            "javascript:1",
            "https://other.example/x", "https://other.example:8443@evil.example/",
        ])
    func foreign(text: String) { #expect(Address(text, among: servers) == nil) }
}
