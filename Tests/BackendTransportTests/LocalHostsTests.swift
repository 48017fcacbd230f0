import BackendTransport
import BackendTransportLinux
import Testing

@Suite("D-L9: hosts that the debug flavour talks to")
struct LocalHostsTests {
    private static let listed = LocalHosts(listing: ["Staging.example.", "192.0.2.7", "[2001:DB8::7]"])

    @Test(
        "Loopback, private and link-local addresses are local at both ends of each network",
        arguments: [
            "127.0.0.0", "127.255.255.255", "::1", "10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255",
            "192.168.0.0", "192.168.255.255", "169.254.0.0", "169.254.255.255", "fc00::", "fdff:ffff::1", "fe80::1",
            "febf::1", "::ffff:192.168.1.1", "FD00::1",
        ])
    func localAddresses(address: String) {
        #expect(LocalHosts().contains(address) && LocalHosts().contains(address, at: address))
    }

    @Test(
        "Every other address is not, also one that is none everywhere or is shared with strangers",
        arguments: [
            "126.255.255.255", "128.0.0.0", "9.255.255.255", "11.0.0.0", "172.15.255.255", "172.32.0.0",
            "192.167.255.255", "192.169.0.0", "169.253.255.255", "169.255.0.0", "100.64.0.1", "0.0.0.0", "::", "::2",
            "fbff::1", "fe00::1", "fec0::1", "64:ff9b::a00:1", "::ffff:8.8.8.8", "2001:db8::1", "224.0.0.1",
        ])
    func otherAddresses(address: String) {
        #expect(!LocalHosts().contains(address) && !LocalHosts().contains(address, at: address))
    }

    @Test(
        "Names that the public DNS never delegates are local where they lead to a local address",
        arguments: [
            "localhost", "localhost.", "LOCALHOST", "a.localhost", "phone.local", "a.home.arpa", "x.internal",
            "a.b.test",
        ])
    func localNames(name: String) {
        let hosts = LocalHosts()
        #expect(hosts.contains(name))
        for address in ["127.0.0.1", "::1", "192.168.7.7", "fd00::7"] { #expect(hosts.contains(name, at: address)) }
        for address in ["192.0.2.1", "2001:db8::1", "100.64.0.1", "nowhere", ""] {
            #expect(!hosts.contains(name, at: address))
        }
        #expect(!hosts.contains(name, at: nil))
    }

    @Test(
        "DNS rebinding: every other name is refused, wherever it leads",
        arguments: [
            "login.example", "example", "localhost.example", "notlocalhost", "local.example", "arpa",
            "internal.example", "127.1", "0x7f.0.0.1", "2130706433", "127.0.0.1.example", "", ".", "local..",
        ])
    func otherNames(name: String) {
        #expect(!LocalHosts().contains(name))
        for address in ["127.0.0.1", "::1", "192.168.7.7", nil] { #expect(!LocalHosts().contains(name, at: address)) }
    }

    @Test("A listed name is one wherever it leads, whole and in any case; its relatives are not")
    func listedNames() {
        for name in ["staging.example", "STAGING.example."] {
            for address in ["127.0.0.1", "192.0.2.1", nil] { #expect(Self.listed.contains(name, at: address)) }
        }
        for name in ["example", "a.staging.example", "staging.example.org", "xstaging.example"] {
            #expect(!Self.listed.contains(name) && !Self.listed.contains(name, at: "127.0.0.1"))
        }
    }

    @Test("A listed address is one, and a local name may lead to it; another name may not")
    func listedAddresses() {
        for address in ["192.0.2.7", "2001:db8::7", "2001:db8:0::7"] {
            #expect(Self.listed.contains(address) && Self.listed.contains(address, at: address))
            #expect(Self.listed.contains("phone.local", at: address))
            #expect(!Self.listed.contains("login.example", at: address))
        }
        #expect(!Self.listed.contains("192.0.2.8") && !Self.listed.contains("phone.local", at: "192.0.2.8"))
    }

    @Test("An entry with a port, a scheme or a wildcard admits nothing")
    func unusableEntries() {
        let hosts = LocalHosts(listing: ["login.example:443", "https://login.example", "*.example", "*", ""])
        #expect(!hosts.contains("login.example") && !hosts.contains("a.example"))
    }

    @Test("The release flavour and the diagnosis have no such limit, the debug flavour has")
    func issuers() {
        for issuers in [TransportTrust.Issuers.known, .any] {
            #expect(issuers.admits("login.example") && issuers.admits("login.example", at: nil))
        }
        let debug = TransportTrust.Issuers.anyAt(Self.listed)
        #expect(!debug.admits("login.example") && !debug.admits("login.example", at: "127.0.0.1"))
        #expect(debug.admits("localhost") && !debug.admits("localhost", at: "192.0.2.1"))
        #expect(!TransportTrust.Issuers.known.includesUnknown && debug.includesUnknown)
    }

    @Test("A transport of the debug flavour makes no query about a host that it may not talk to")
    func refused() async {
        let trust = TransportTrust(issuers: .anyAt(LocalHosts(listing: ["staging.example"])))
        let transports: [any HTTPTransport] = [
            AsyncHTTPClientTransport(trust: trust) { 0 }, URLSessionTransport(trust: trust),
        ]
        for transport in transports {
            for url in ["https://login.example/", "https://192.0.2.1:8443/", "https://[2001:db8::1]/"] {
                await #expect(throws: BackendTransportError.refusedHost) {
                    try await transport.response(to: BackendRequest(.get, url))
                }
            }
        }
    }
}
