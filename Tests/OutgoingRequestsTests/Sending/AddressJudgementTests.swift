import Octets
import OpenID
import OutgoingRequests
import ServerCore
import Testing

@Suite("Outgoing requests: which addresses may be called")
struct AddressJudgementTests {
    private static let inside = [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.255", "169.254.169.254", "172.16.0.1",
        "172.31.255.255", "192.0.0.8", "192.168.0.1", "198.18.0.1", "224.0.0.1", "239.255.255.255", "255.255.255.255",
        "::", "::1", "fe80::1", "fc00::1", "fd00:ec2::254", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "::127.0.0.1",
        "64:ff9b::7f00:1", "2002:7f00:1::", "2001::1", "2001:db8::1",
    ]
    private static let outside = ["1.1.1.1", "93.184.215.14", "172.32.0.1", "2606:4700::1111", "2a00:1450::5"]

    @Test("An address inside a network is refused, in whatever form it is written", arguments: inside)
    func refused(_ text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(!OutgoingRules().allows(address))
    }

    @Test("An address of the Internet is allowed", arguments: outside)
    func allowed(_ text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(OutgoingRules().allows(address))
    }

    @Test("A network of the configuration is allowed, and nothing beside it")
    func network() throws {
        var rules = OutgoingRules()
        rules.allowedNetworks = [try #require(IPNetwork("10.1.0.0/16"))]
        let (inside, beside) = (try #require(IPAddress("10.1.2.3")), try #require(IPAddress("10.2.0.1")))
        #expect(rules.allows(inside))
        #expect(!rules.allows(beside))
    }

    @Test("A name with a public and a private address is refused as a whole")
    func mixture() throws {
        let addresses = [try #require(IPAddress("1.1.1.1")), try #require(IPAddress("10.0.0.1"))]
        #expect(throws: OutgoingFailure.forbiddenAddress) { try OutgoingRules().judged(addresses) }
        #expect(throws: OutgoingFailure.unresolvable) { try OutgoingRules().judged([]) }
        #expect(try OutgoingRules().judged([addresses[0]]) == [addresses[0]])
    }
}
