import ServerCore
import Testing

@Suite("Clients: the key under which limits count")
struct ClientContextTests {
    @Test("S-L1: the key of the limits is an IPv4 address, or the whole /64 however an address is written")
    func networkKey() {
        let texts = ["2001:db8::1", "2001:db8:0:0:ffff::", "2001:db8::2:3:4:5", "2001:0db8:0000::", "2001:db8::"]
        #expect(Set(texts.map { ClientContext(address: $0).network }) == ["2001:db8::/64"])
        #expect(ClientContext(address: "2001:db8:0:1::1").network == "2001:db8:0:1::/64")
        #expect(ClientContext(address: "::ffff:192.0.2.1").network == "192.0.2.1")
        #expect(ClientContext(address: "192.0.2.1").network == "192.0.2.1")
        #expect(ClientContext(address: nil).network.isEmpty)
        #expect(ClientContext(address: "elsewhere").network == "elsewhere")
    }
}
