import JOSE
import Testing

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Payloads that a server encrypted to this device")
struct SealedPayloadTests {
    private let server: ServerAddress

    init() throws { server = try Fixtures().server }

    @Test("A payload is read as a compact JWE, with its hint at a key; another text is refused")
    func reading() throws {
        let keys = try DeviceKeySet(try DeviceServerKeysFixture.make(server))
        let token = try CompactJWE.seal(Array("x".utf8), to: keys.agreement, keyID: "one")
        #expect(try SealedPayload(parsing: token).keyID == "one")
        #expect(throws: JOSEError.self) { _ = try SealedPayload(parsing: "a.b.c.d.e") }
    }

    @Test("The keys for a server know the thumbprint that a payload for them names; a point that is none has none")
    func thumbprint() throws {
        let keys = try DeviceServerKeysFixture.make(server)
        let token = try CompactJWE.seal(Array("x".utf8), to: try DeviceKeySet(keys).agreement)
        #expect(try SealedPayload(parsing: token).keyID == keys.agreementThumbprint)
        #expect(keys.agreementThumbprint?.utf8.count == 43)
        #expect(DeviceServerKeys(server: server, signing: keys.signing, agreement: [4]).agreementThumbprint == nil)
    }
}
