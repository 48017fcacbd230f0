import Crypto
import DeviceAttestation
import TestSupport
import Testing

@Suite("An attestation key is a restricted key of one chip")
struct TPMAttestationKeyTests {
    private typealias Area = SyntheticTPMStatement.PublicArea

    /// Public area with one fault, and the refusal.
    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let refusal: TPMRefusal
        let change: @Sendable (inout SyntheticTPMStatement.PublicArea) -> Void

        init(
            _ description: String, _ refusal: TPMRefusal,
            change: @escaping @Sendable (inout SyntheticTPMStatement.PublicArea) -> Void
        ) {
            testDescription = description
            self.refusal = refusal
            self.change = change
        }
    }

    private var sound: SyntheticTPMStatement.PublicArea {
        Area(P256.Signing.PrivateKey().publicKey, attributes: Area.attesting)
    }

    @Test("A key with the attributes of an attestation key is taken, with its name")
    func accepts() throws {
        let area = sound
        #expect(try TPMAttestationKey(publicArea: area.octets).name == area.name)
    }

    static let faults: [Fault] = [
        Fault("no octets of an ECC key", .attestationKeyKind) { $0.type = 0x0001 },
        Fault("name with SHA-384", .attestationKeyKind) { $0.nameAlgorithm = 0x000C },
        Fault("no scheme", .attestationKeyKind) { $0.algorithms = [0x0010, 0x0010, 0x0003, 0x0010] },
        Fault("ECDSA with SHA-384", .attestationKeyKind) { $0.algorithms[2] = 0x000C },
        Fault("point that is not on the curve", .attestationKeyKind) { $0.y[31] ^= 1 },
        Fault("key that may go to another chip", .attestationKeyAttributes) { $0.attributes &= ~(1 << 1) },
        Fault("key that may go under another parent", .attestationKeyAttributes) { $0.attributes &= ~(1 << 4) },
        Fault("imported key", .attestationKeyAttributes) { $0.attributes &= ~(1 << 5) },
        Fault("key that signs anything", .attestationKeyAttributes) { $0.attributes &= ~(1 << 16) },
        Fault("key that does not sign", .attestationKeyAttributes) { $0.attributes &= ~(1 << 18) },
        Fault("key that decrypts", .attestationKeyAttributes) { $0.attributes |= 1 << 17 },
        Fault("key that signs certificates", .attestationKeyAttributes) { $0.attributes |= 1 << 19 },
        Fault("octets behind it", .malformed(.publicArea)) { $0.trailing = [1] },
    ]

    @Test("Every other key is refused with its cause", arguments: faults)
    func refuses(fault: Fault) {
        var area = sound
        fault.change(&area)
        let octets = area.octets
        #expect(throws: fault.refusal) { try TPMAttestationKey(publicArea: octets) }
    }

    @Test("A public area cut anywhere is refused")
    func cut() {
        let octets = sound.octets
        for count in octets.indices {
            #expect(throws: TPMRefusal.malformed(.publicArea)) {
                try TPMAttestationKey(publicArea: Array(octets.prefix(count)))
            }
        }
    }
}
