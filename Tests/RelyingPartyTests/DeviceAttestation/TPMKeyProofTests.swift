import Crypto
import DeviceAttestation
import TestSupport
import Testing
import UAF

@Suite("A chip proves by TPM2_Certify that it made a key, holds it and counts its PIN")
struct TPMKeyProofTests {
    private typealias Area = SyntheticTPMStatement.PublicArea

    private static let qualification = KeyAttestationEvidence.qualification(of: [1, 2, 3])

    private let key = P256.Signing.PrivateKey()

    private func proof(
        of made: SyntheticTPMStatement, attesting: P256.Signing.PrivateKey? = nil, isPinRequired: Bool = true
    ) throws -> TPMKeyProof {
        let statement = try Self.statement(made)
        let area = Area((attesting ?? made.attestationKey).publicKey, attributes: Area.attesting)
        return try TPMKeyProof(
            statement, signedBy: try TPMAttestationKey(publicArea: area.octets),
            meeting: .init(
                publicKey: Array(key.publicKey.x963Representation), qualification: Self.qualification,
                isPinRequired: isPinRequired, attemptLimit: 5))
    }

    private static func statement(_ made: SyntheticTPMStatement) throws -> TPMKeyStatement {
        TPMKeyStatement(
            attest: made.attest, signature: try made.signature(), publicArea: made.publicArea.octets,
            index: made.index?.octets ?? [], counts: made.countsAttest, countsSignature: try made.countsSignature())
    }

    private var sound: SyntheticTPMStatement {
        SyntheticTPMStatement(about: key.publicKey, qualification: Self.qualification)
    }

    @Test("A sound statement proves the key, and names the index that counts its PIN")
    func accepts() throws {
        let made = sound
        let proof = try proof(of: made)
        #expect(proof.keyName == made.publicArea.name)
        #expect(proof.indexName?.count == 34)
    }

    @Test("A key without a PIN is proved where none is demanded, and refused where one is")
    func withoutPin() throws {
        var made = sound
        made.index = nil
        made.publicArea = Area(key.publicKey, attributes: Area.guarded | 1 << 6)
        #expect(try proof(of: made, isPinRequired: false).indexName == nil)
        #expect(throws: TPMRefusal.indexMissing) { try proof(of: made) }
    }

    @Test("A clock that may have jumped says nothing against a key")
    func unsafeClock() throws {
        var made = sound
        made.isSafe = 0
        #expect(throws: Never.self) { try proof(of: made) }
    }

    @Test("A statement is sent and read as it was made")
    func encoding() throws {
        let statement = try Self.statement(sound)
        #expect(try TPMKeyStatement(octets: statement.octets) == statement)
        for count in statement.octets.indices {
            #expect(throws: TPMRefusal.malformed(.statement)) {
                try TPMKeyStatement(octets: Array(statement.octets.prefix(count)))
            }
        }
        #expect(throws: TPMRefusal.malformed(.statement)) { try TPMKeyStatement(octets: statement.octets + [0]) }
        #expect(throws: TPMRefusal.malformed(.statement)) {
            try TPMKeyStatement(octets: [0, 2] + statement.octets.dropFirst(2))
        }
        let long = TPMKeyStatement(attest: [UInt8](repeating: 0, count: 1025), signature: [], publicArea: [])
        #expect(throws: TPMRefusal.malformed(.statement)) { try TPMKeyStatement(octets: long.octets) }
    }

    @Test("The qualifying data differ with every octet of what was registered")
    func qualifications() {
        #expect(Self.qualification.count == 32)
        #expect(Self.qualification != KeyAttestationEvidence.qualification(of: [1, 2, 4]))
        #expect(Self.qualification != KeyAttestationEvidence.qualification(of: [1, 2]))
    }

    @Test("Every fault of a statement is refused with its cause", arguments: SyntheticTPMStatement.faults)
    func refuses(fault: SyntheticTPMStatement.Fault) throws {
        var made = sound
        fault.change(&made)
        #expect(throws: fault.refusal) { try proof(of: made) }
    }

    @Test("A refusal has a word that tells the cause and names no type")
    func words() {
        #expect(TPMRefusal.wrongQualification.word == "wrongQualification")
        #expect(TPMRefusal.malformed(.index).word == "malformed.index")
        #expect(TPMRefusal.endorsementPath(.noValidPath).word == "endorsementPath.noValidPath")
    }

    @Test("A statement of another attestation key is refused")
    func foreignSigner() throws {
        #expect(throws: TPMRefusal.wrongSignature) { try proof(of: sound, attesting: P256.Signing.PrivateKey()) }
    }

    @Test("A statement cut anywhere is refused")
    func cut() throws {
        let made = sound
        let attesting = try TPMAttestationKey(
            publicArea: Area(made.attestationKey.publicKey, attributes: Area.attesting).octets)
        for count in made.attest.indices {
            let attest = Array(made.attest.prefix(count))
            let raw = Array(try made.attestationKey.signature(for: attest).rawRepresentation)
            let statement = TPMKeyStatement(
                attest: attest, signature: [0, 0x18, 0, 0x0B, 0, 32] + raw.prefix(32) + [0, 32] + raw.suffix(32),
                publicArea: made.publicArea.octets)
            #expect(throws: TPMRefusal.malformed(.attest)) {
                try TPMKeyProof(
                    statement, signedBy: attesting,
                    meeting: .init(publicKey: [], qualification: Self.qualification, isPinRequired: false))
            }
        }
    }
}
