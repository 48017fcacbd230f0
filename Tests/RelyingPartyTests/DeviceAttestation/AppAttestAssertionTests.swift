import Crypto
import DeviceAttestation
import StrictCBOR
import TestSupport
import Testing

@Suite("Assertions of App Attest come from the attested key, each once")
struct AppAttestAssertionTests {
    private static let clientDataHash = Array(SHA256.hash(data: [4, 5]))
    private static let requirement = AppAttestRequirement(applications: [SyntheticAppAttest.application])

    private func key(of made: SyntheticAppAttest, counter: UInt32 = 0) -> AppAttestKey {
        AppAttestKey(
            publicKey: Array(made.key.publicKey.x963Representation), keyID: made.keyID,
            application: SyntheticAppAttest.application, environment: .production, receipt: [], counter: counter)
    }

    @Test("An assertion with a counter that has risen is taken, and moves the counter")
    func accepts() throws {
        let made = SyntheticAppAttest()
        let key = key(of: made, counter: 4)
        let assertion = try made.assertion(clientDataHash: Self.clientDataHash, counter: 7)
        let next = try key.asserted(assertion, clientDataHash: Self.clientDataHash, meeting: Self.requirement)
        #expect(next.counter == 7)
        #expect(next.keyID == key.keyID)
    }

    @Test("An assertion whose counter has not risen is refused", arguments: [0, 3, 4] as [UInt32])
    func replays(counter: UInt32) throws {
        let made = SyntheticAppAttest()
        let assertion = try made.assertion(clientDataHash: Self.clientDataHash, counter: counter)
        #expect(throws: AppAttestRefusal.counterNotRisen) {
            try key(of: made, counter: 4).asserted(
                assertion, clientDataHash: Self.clientDataHash, meeting: Self.requirement)
        }
    }

    @Test("An assertion of another key, or over other data, is refused")
    func foreignSignature() throws {
        let made = SyntheticAppAttest()
        let assertion = try made.assertion(clientDataHash: Self.clientDataHash, counter: 1)
        #expect(throws: AppAttestRefusal.wrongSignature) {
            try key(of: SyntheticAppAttest()).asserted(
                assertion, clientDataHash: Self.clientDataHash, meeting: Self.requirement)
        }
        #expect(throws: AppAttestRefusal.wrongSignature) {
            try key(of: made).asserted(
                assertion, clientDataHash: [UInt8](repeating: 0, count: 32), meeting: Self.requirement)
        }
    }

    @Test("An assertion of another application is refused, and one that is no longer allowed")
    func foreignApplication() throws {
        var made = SyntheticAppAttest()
        let sound = try made.assertion(clientDataHash: Self.clientDataHash, counter: 1)
        #expect(throws: AppAttestRefusal.foreignApplication) {
            try key(of: made).asserted(
                sound, clientDataHash: Self.clientDataHash, meeting: .init(applications: ["TEAM.other"]))
        }
        made.applicationDigest = Array(SHA256.hash(data: Array("TEAM.other".utf8)))
        let foreign = try made.assertion(clientDataHash: Self.clientDataHash, counter: 1)
        #expect(throws: AppAttestRefusal.foreignApplication) {
            try key(of: made).asserted(
                foreign, clientDataHash: Self.clientDataHash,
                meeting: .init(applications: [SyntheticAppAttest.application, "TEAM.other"]))
        }
    }

    @Test("An assertion with octets behind the counter, or too few before it, is refused")
    func authenticatorData() throws {
        var made = SyntheticAppAttest()
        made.authenticatorDataTrailing = [0]
        let long = try made.assertion(clientDataHash: Self.clientDataHash, counter: 1)
        made.authenticatorDataTrailing = []
        made.applicationDigest = []
        let short = try made.assertion(clientDataHash: Self.clientDataHash, counter: 1)
        for assertion in [long, short] {
            #expect(throws: AppAttestRefusal.authenticatorData) {
                try key(of: made).asserted(
                    assertion, clientDataHash: Self.clientDataHash, meeting: Self.requirement)
            }
        }
    }

    @Test("An assertion of another structure is refused")
    func structure() throws {
        let made = SyntheticAppAttest()
        func refuse(_ value: CBORValue) {
            #expect(throws: AppAttestRefusal.structure) {
                try key(of: made).asserted(
                    CBORWriter.write(value), clientDataHash: Self.clientDataHash, meeting: Self.requirement)
            }
        }
        let state = CBORMap.Member(.text("authenticatorData"), .bytes([]))
        let signature = CBORMap.Member(.text("signature"), .bytes([]))
        refuse(.array([]))
        refuse(.map(CBORMap([state])))
        refuse(.map(CBORMap([signature])))
        refuse(.map(CBORMap([signature, .init(.text("authenticatorData"), .text(""))])))
        refuse(.map(CBORMap([state, .init(.text("signature"), .null)])))
        refuse(.map(CBORMap([state, signature, .init(.text("x"), .null)])))
        refuse(.map(CBORMap([state, .init(.integer(1), .bytes([]))])))
        #expect(throws: AppAttestRefusal.wrongSignature) {
            try key(of: made).asserted(
                CBORWriter.write(.map(CBORMap([state, signature]))), clientDataHash: Self.clientDataHash,
                meeting: Self.requirement)
        }
    }
}
