import CommandSupport
import ServerCommandSupport
import ServerCore
import Testing

@Suite("The port of a listener: as configured, or a free one that is known before it opens")
struct ListenerAddressTests {
    @Test("Port 0 becomes a free port of the same host, and comes with what holds it")
    func free() throws {
        var address = ListenerAddress(host: "127.0.0.1", port: 0)
        let ports = try #require(try address.takeFreePort())
        #expect(ports.numbers == [address.port] && address.port > 0)
        #expect(address.host == "127.0.0.1")
    }

    @Test("A port that is given stays")
    func given() throws {
        var address = ListenerAddress(host: "127.0.0.1", port: 8443)
        #expect(try address.takeFreePort() == nil)
        #expect(address.port == 8443)
    }
}
