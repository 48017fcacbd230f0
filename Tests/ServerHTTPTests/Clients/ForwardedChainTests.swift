import HTTPTypes
import Octets
import ServerCore
import Testing

@testable import ServerHTTP

@Suite("Clients: Forwarded and X-Forwarded-For")
struct ForwardedChainTests {
    private static let proxy = "10.0.0.1"

    private static func client(
        forwarded: [String] = [], customary: [String] = [], peer: String = proxy
    ) throws -> String {
        var proxies = ProxySettings()
        proxies.trusted = try ["10.0.0.0/8", "fd00::/8"].map { try #require(IPNetwork($0)) }
        var headers = HTTPFields()
        for value in forwarded {
            headers.append(HTTPField(name: try #require(HTTPField.Name("Forwarded")), value: value))
        }
        for value in customary {
            headers.append(HTTPField(name: try #require(HTTPField.Name("x-forwarded-for")), value: value))
        }
        return ForwardedChain.sender(of: headers, peer: try #require(IPAddress(peer)), proxies: proxies).description
    }

    @Test(
        "S-H4: the right-most address of X-Forwarded-For that is no proxy's is the client",
        arguments: [
            (["192.0.2.1"], "192.0.2.1"), (["198.51.100.1, 192.0.2.1"], "192.0.2.1"),
            (["192.0.2.1, 10.2.3.4"], "192.0.2.1"), (["192.0.2.1, 10.2.3.4", "10.0.0.9"], "192.0.2.1"),
            (["garbage, 192.0.2.1"], "192.0.2.1"), (["unknown, 192.0.2.1 ,, ,"], "192.0.2.1"),
            (["192.0.2.1:4711"], "192.0.2.1"), (["2001:db8::1"], "2001:db8::1"), (["[2001:db8::1]:443"], "2001:db8::1"),
            (["[2001:db8::1]"], "2001:db8::1"), (["::ffff:192.0.2.1"], "192.0.2.1"),
            (["10.1.1.1, 10.2.2.2"], "10.1.1.1"),
            (["192.0.2.1, fd00::1, ::ffff:10.0.0.2"], "192.0.2.1"),
        ])
    func customary(values: [String], client: String) throws {
        #expect(try Self.client(customary: values) == client)
    }

    @Test(
        "S-H4: the right-most address of Forwarded that is no proxy's is the client",
        arguments: [
            (["for=192.0.2.1"], "192.0.2.1"), (["for=198.51.100.1, For=192.0.2.1;proto=https"], "192.0.2.1"),
            (["for=192.0.2.1;by=10.0.0.1, for=10.0.0.2"], "192.0.2.1"),
            (["for=192.0.2.1", "for=10.0.0.2"], "192.0.2.1"),
            ([#"by=x;for="[2001:db8::1]:4711""#], "2001:db8::1"), ([#"for="192.0.2.1:80""#], "192.0.2.1"),
            ([#"for="192.0.2.1:_port""#], "192.0.2.1"), ([#"for="\1\9\2.0.2.1""#], "192.0.2.1"),
            (["for=_hidden, for=192.0.2.1"], "192.0.2.1"), ([", ,for=192.0.2.1,,"], "192.0.2.1"),
            ([#"for=198.51.100.1;host="a, for=8.8.8.8", for=192.0.2.1"#], "192.0.2.1"),
            (["for=192.0.2.1;"], "192.0.2.1"),
            ([#"host="a\", for=8.8.8.8", for=192.0.2.1"#], "192.0.2.1"), (["for=192.0.2.1:80"], "192.0.2.1"),
        ])
    func standard(values: [String], client: String) throws {
        #expect(try Self.client(forwarded: values) == client)
    }

    @Test(
        "S-H4: a chain that hides or garbles the client leaves the address of the proxy",
        arguments: [
            "for=_hidden", "for=unknown", "for=192.0.2.1, for=_hidden", "for=192.0.2.1, by=10.0.0.1", "for=", "for",
            "=", ";", ",", #"for="192.0.2.1"#, #"for=192.0.2.1;host="a"#, #"for="192.0.2.1\"#, "for=192.0.2.1 x",
            "for=192.0.2.1;for=192.0.2.2", "for =192.0.2.1", "for= 192.0.2.1", #"for="fe80::1%eth0""#,
            #"for="[fe80::1%eth0]""#, #"for="[2001:db8::1""#, #"for="[2001:db8::1]x""#, #"for="[192.0.2.1]""#,
            #"for="192.0.2.1:99999""#, #"for="192.0.2.1:_""#, #"for="192.0.2.1:""#, "for=\u{e9}",
        ])
    func hidden(value: String) throws {
        #expect(try Self.client(forwarded: [value]) == Self.proxy)
    }

    @Test(
        "S-H4: an X-Forwarded-For that ends in no address leaves the address of the proxy",
        arguments: ["", ",", "unknown", "192.0.2.1, unknown", "192.0.2.1, fe80::1%eth0", "192.0.2.1 x", "a.example"])
    func hiddenCustomary(value: String) throws {
        #expect(try Self.client(customary: [value]) == Self.proxy)
    }

    @Test("S-H4: both fields count when they agree, and neither does when they differ")
    func both() throws {
        #expect(try Self.client(forwarded: ["for=192.0.2.1"], customary: ["192.0.2.1"]) == "192.0.2.1")
        #expect(try Self.client(forwarded: ["for=192.0.2.1"], customary: ["192.0.2.2"]) == Self.proxy)
        #expect(try Self.client(forwarded: ["for=_hidden"], customary: ["192.0.2.2"]) == Self.proxy)
    }

    @Test("S-H4, SRV-18: what a peer writes that is no trusted proxy is ignored")
    func spoofed() throws {
        for peer in ["192.0.2.9", "2001:db8::9", "11.0.0.1"] {
            #expect(try Self.client(forwarded: ["for=192.0.2.1"], customary: ["192.0.2.1"], peer: peer) == peer)
        }
    }

    @Test("S-H4: lists of ten thousand entries are read, and an endless chain of proxies names no sender")
    func long() throws {
        let many = [String](repeating: "10.0.0.2", count: 10_000).joined(separator: ",")
        #expect(try Self.client(customary: [many]) == Self.proxy)
        #expect(try Self.client(customary: [many + ",192.0.2.1"]) == "192.0.2.1")
        let standard = [String](repeating: "for=10.0.0.2", count: 10_000)
        #expect(try Self.client(forwarded: [standard.joined(separator: ",")]) == Self.proxy)
        #expect(try Self.client(forwarded: standard + ["for=192.0.2.1"]) == "192.0.2.1")
        #expect(try Self.client(forwarded: [String(repeating: ",", count: 10_000)]) == Self.proxy)
    }
}
