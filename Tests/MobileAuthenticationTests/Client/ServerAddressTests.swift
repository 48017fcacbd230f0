import Foundation
import Testing

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Addresses of servers")
struct ServerAddressTests {
    @Test(
        "Paths are joined with exactly one slash",
        arguments: [
            ("https://a.example", "/p/"), ("https://a.example/", "/p/"), ("https://a.example", "p/"),
        ])
    func joined(base: String, path: String) throws {
        let address = ServerAddress(try #require(URL(string: base)))
        #expect(address.appending(path: path)?.absoluteString == "https://a.example/p/")
    }

    @Test("Spelling of host and closing slash do not make another server")
    func same() throws {
        let one = ServerAddress(try #require(URL(string: "https://A.example/_app/")))
        let other = ServerAddress(try #require(URL(string: "https://a.example:443/_app")))
        #expect(one == other)
        #expect(one != ServerAddress(try #require(URL(string: "https://a.example/other"))))
    }

    @Test("Only https with a host is secure", arguments: ["http://a.example", "file:///x", "https:///x", "a.example"])
    func insecure(text: String) throws {
        #expect(!ServerAddress(try #require(URL(string: text))).isSecure)
    }

    @Test("A path cannot lead to another host")
    func otherHost() throws {
        let resource = BackendResource(
            server: ServerAddress(try #require(URL(string: "https://a.example"))), path: "@b.example/x")
        #expect(try resource.url().host() == "a.example")
    }
}
