import Crypto
import Octets

/// Evidence that a chip holds a new key: an extension beside the signed part of a registration assertion.
///
/// It is an addition of this project. Other implementations ignore it and see a surrogate attestation; any party on the
/// way can remove it, so that only a policy that demands it misses it.
package struct KeyAttestationEvidence: Hashable, Sendable {
    package static let proofByteLimit = 512
    private static let version: UInt8 = 1
    private static let domain = "Signet TPM key attestation"

    /// Proof that a genuine chip holds the attestation key, as the server gave it to the phone.
    package let proof: [UInt8]
    /// Statement of the chip about the new key, signed by the attestation key.
    package let statement: [UInt8]

    package init(proof: [UInt8], statement: [UInt8]) {
        self.proof = proof
        self.statement = statement
    }

    /// Reads the data of an extension: a version (one byte), the size of the proof (16 bits, the least significant byte
    /// first), the proof, and the statement; nil for anything else.
    package init?(octets: [UInt8]) {
        var reader = OctetReader(octets)
        guard let version = try? reader.readUInt8(), version == Self.version,
            let count = try? reader.readUInt16LittleEndian(), (1...Self.proofByteLimit).contains(Int(count)),
            let proof = try? reader.read(count: Int(count)), !reader.isAtEnd
        else { return nil }
        self.init(proof: Array(proof), statement: Array(reader.readRest()))
    }

    /// The data of the extension.
    package var octets: [UInt8] {
        var writer = OctetWriter(capacity: 3 + proof.count + statement.count)
        writer.writeUInt8(Self.version)
        writer.writeUInt16LittleEndian(UInt16(clamping: proof.count))
        writer.write(proof)
        writer.write(statement)
        return writer.bytes
    }

    /// The extension, which may be ignored.
    package var assertionExtension: AssertionExtension {
        AssertionExtension(id: .keyAttestation, data: octets, failIfUnknown: false)
    }

    /// The qualifying data of a statement about a registration: a digest of its signed bytes (TAG_UAFV1_KRD).
    ///
    /// Those hold the digest of the final challenge, the model, the key's identifier and the key.
    package static func qualification(of keyRegistrationData: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: Array(domain.utf8) + [0] + keyRegistrationData))
    }
}

extension OperationHeader {
    package var demandsKeyAttestation: Bool { extensions.contains { $0.id == .keyAttestation } }
}

extension MessageExtension {
    /// Extension of the header of a registration request by which a server asks for ``KeyAttestationEvidence``.
    package static let keyAttestationDemand = MessageExtension(
        id: .keyAttestation, data: "required", failIfUnknown: false)
}
