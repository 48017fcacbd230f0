import Octets
import Testing

@Suite("IP addresses and networks")
struct IPAddressTests {
    @Test(
        "S-L1: addresses are read and written in one form",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("::", "::"),
            ("::1", "::1"), ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:db8::0:1", "2001:db8::1"),
            ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("fe80::", "fe80::"),
            ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:c000:0201", "192.0.2.1"),
            ("64:ff9b::192.0.2.1", "64:ff9b::c000:201"), ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
        ])
    func forms(text: String, form: String) {
        #expect(IPAddress(text)?.description == form)
    }

    @Test(
        "S-L1: what is no address is refused",
        arguments: [
            "", ".", ":", ":::", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.04", "1.2.3.+4", "1.2.3.-0",
            "1.2.3.4:80", "1.2.3. 4", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "1:2:3:4:5:6:7:8::", "::1%eth0",
            "fe80::1%1", "[::1]", "12345::", "g::", ":1:2:3:4:5:6:7:8", "1.2.3.4::", "::1.2.3.4:5", "::1.2.3",
            "+1::2", "\u{661}.2.3.4", "localhost", String(repeating: "1", count: 100), "::\u{0}",
        ])
    func refused(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("S-L1: the key of an address is an IPv4 address, or the whole /64 however an address is written")
    func networkKey() {
        let texts = ["2001:db8::1", "2001:db8:0:0:ffff::", "2001:db8::2:3:4:5", "2001:0db8:0000::", "2001:db8::"]
        #expect(Set(texts.map { IPAddress($0)?.networkKey }) == ["2001:db8::/64"])
        #expect(IPAddress("2001:db8:0:1::1")?.networkKey == "2001:db8:0:1::/64")
        #expect(IPAddress("::ffff:192.0.2.1")?.networkKey == "192.0.2.1")
    }

    @Test(
        "S-H4: a network contains its addresses and no other",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("0.0.0.0/0", "9.9.9.9", true),
            ("0.0.0.0/0", "::1", false), ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.6", false),
            ("192.0.2.6/31", "192.0.2.7", true), ("192.0.2.7/32", "192.0.2.6", false),
            ("2001:db8::/32", "2001:db8:ffff::", true), ("2001:db8::/32", "2001:db9::", false),
            ("2001:db8:0:8000::/49", "2001:db8:0:ffff::1", true), ("::/0", "::1", true), ("::1", "::1", true),
            ("2001:db8::/127", "2001:db8::1", true), ("2001:db8::/127", "2001:db8::2", false),
            ("::ffff:10.0.0.0/104", "10.1.2.3", true), ("10.0.0.0/8", "::ffff:10.1.2.3", true),
        ])
    func contains(network: String, address: String, expected: Bool) throws {
        let (network, address) = (try #require(IPNetwork(network)), try #require(IPAddress(address)))
        #expect(network.contains(address) == expected)
    }

    @Test(
        "S-H4: what is no network, or has bits after its prefix, is refused",
        arguments: [
            "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.1/8", "10.0.0.0/8/8",
            "::/129", "2001:db8::1/64", "::ffff:10.0.0.0/8", "a.example/8", "10.0.0.0/1e1", "10.0.0.0/ 8",
        ])
    func refusedNetwork(text: String) {
        #expect(IPNetwork(text) == nil)
    }
}
