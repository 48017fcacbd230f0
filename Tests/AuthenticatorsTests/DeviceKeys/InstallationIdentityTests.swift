import Authenticators
import Testing

@Suite("The identity of an installation")
struct InstallationIdentityTests {
    private let machine = Array("0123456789abcdef0123456789abcdef\n".utf8)

    @Test("D-L13: the same machine, application and folder give the same identity, anything else another one")
    func stable() throws {
        let one = try #require(InstallationIdentity.derive(fromMachine: machine, for: ["device", "app", "/folder"]))
        #expect(one.count == InstallationIdentity.byteCount)
        #expect(InstallationIdentity.derive(fromMachine: machine, for: ["device", "app", "/folder"]) == one)
        let others = [["device", "app", "/other"], ["device", "ap", "p/folder"], ["device", "app/folder"]]
        for names in others { #expect(InstallationIdentity.derive(fromMachine: machine, for: names) != one) }
        let another = Array("0123456789abcdef0123456789abcdee".utf8)
        #expect(InstallationIdentity.derive(fromMachine: another, for: ["device", "app", "/folder"]) != one)
    }

    @Test(
        "D-L13: a machine that was not set up has no identity to share",
        arguments: ["", "\n", "uninitialized\n", "00000000000000000000000000000000\n", "0123456789abcdef\n"])
    func notSetUp(text: String) {
        #expect(InstallationIdentity.derive(fromMachine: Array(text.utf8), for: ["device"]) == nil)
    }
}
