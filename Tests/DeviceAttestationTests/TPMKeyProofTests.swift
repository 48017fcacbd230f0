import Crypto
import DeviceAttestation
import TestSupport
import Testing
import UAF

@Suite("A chip proves by TPM2_Certify that it made a key, holds it and counts its PIN")
struct TPMKeyProofTests {
    private typealias Area = SyntheticTPMStatement.PublicArea

    /// Statement with one fault, what the server demands of it, and the refusal.
    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let refusal: TPMRefusal
        let change: @Sendable (inout SyntheticTPMStatement) -> Void

        init(
            _ description: String, _ refusal: TPMRefusal,
            change: @escaping @Sendable (inout SyntheticTPMStatement) -> Void
        ) {
            testDescription = description
            self.refusal = refusal
            self.change = change
        }
    }

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

    static let faults: [Fault] = [
        Fault("signature of another key", .wrongSignature) { $0.spoiling = 1 },
        Fault("signature with RSASSA", .signatureKind) { $0.signatureAlgorithms = [0x0014, 0x000B] },
        Fault("signature with ECDAA", .signatureKind) { $0.signatureAlgorithms = [0x001A, 0x000B] },
        Fault("signature with SHA-1", .signatureKind) { $0.signatureAlgorithms = [0x0018, 0x0004] },
        Fault("no signature (TPM_ALG_NULL)", .signatureKind) { $0.signatureAlgorithms = [0x0010, 0x000B] },
        Fault("octets behind the signature", .malformed(.signature)) { $0.signatureTrailing = [0] },
        Fault("bytes that no chip made", .notGenerated) { $0.magic = 0xFF54_4346 },
        Fault("magic in the other order", .notGenerated) { $0.magic = 0x4743_54FF },
        Fault("quote of registers", .wrongStatementType) { $0.type = 0x8018 },
        Fault("certification of how a key was made", .wrongStatementType) { $0.type = 0x801A },
        Fault("certification of an index", .wrongStatementType) { $0.type = 0x8014 },
        Fault("octets behind the statement", .malformed(.attest)) { $0.trailing = [0] },
        Fault("a Boolean of 2", .malformed(.attest)) { $0.isSafe = 2 },
        Fault("qualifying data too long", .malformed(.attest)) {
            $0.qualification = [UInt8](repeating: 1, count: 67)
        },
        Fault("qualifying data of another registration", .wrongQualification) {
            $0.qualification = KeyAttestationEvidence.qualification(of: [9])
        },
        Fault("no qualifying data", .wrongQualification) { $0.qualification = [] },
        Fault("statement about another object", .wrongName) {
            $0.certifiedName = [0, 0x0B] + [UInt8](repeating: 3, count: 32)
        },
        Fault("statement about nothing", .wrongName) { $0.certifiedName = [] },
        Fault("name with another digest", .wrongName) {
            $0.certifiedName = [0, 0x0C] + $0.publicArea.name.dropFirst(2)
        },
        Fault("name too long", .malformed(.attest)) { $0.certifiedName = [UInt8](repeating: 0, count: 67) },
        Fault("RSA key", .keyKind) { $0.publicArea.type = 0x0001 },
        Fault("key of a secret", .keyKind) { $0.publicArea.type = 0x0008 },
        Fault("name with SHA-1", .keyKind) { $0.publicArea.nameAlgorithm = 0x0004 },
        Fault("storage key", .keyKind) { $0.publicArea.algorithms[0] = 0x0006 },
        Fault("key for ECDH", .keyKind) { $0.publicArea.algorithms[1] = 0x0019 },
        Fault("ECDSA with SHA-1", .keyKind) { $0.publicArea.algorithms[2] = 0x0004 },
        Fault("key on P-384", .keyKind) { $0.publicArea.algorithms[3] = 0x0004 },
        Fault("key with a derivation", .keyKind) { $0.publicArea.algorithms[4] = 0x0020 },
        Fault("octets behind the public area", .malformed(.publicArea)) { $0.publicArea.trailing = [0] },
        Fault("coordinate too long", .malformed(.publicArea)) { $0.publicArea.x = [0] + $0.publicArea.x },
        Fault("policy too long", .malformed(.publicArea)) {
            $0.publicArea.policy = [UInt8](repeating: 0, count: 65)
        },
        Fault("key that may go to another chip", .keyNotFixed) { $0.publicArea.attributes &= ~(1 << 1) },
        Fault("key that may go under another parent", .keyNotFixed) { $0.publicArea.attributes &= ~(1 << 4) },
        Fault("imported key", .keyImported) { $0.publicArea.attributes &= ~(1 << 5) },
        Fault("key that does not sign", .keyPurpose) { $0.publicArea.attributes &= ~(1 << 18) },
        Fault("key that decrypts too", .keyPurpose) { $0.publicArea.attributes |= 1 << 17 },
        Fault("attestation key", .keyPurpose) { $0.publicArea.attributes |= 1 << 16 },
        Fault("key that signs certificates", .keyPurpose) { $0.publicArea.attributes |= 1 << 19 },
        Fault("another key", .foreignKey) { $0.publicArea.y[31] ^= 1 },
        Fault("no index", .indexMissing) { $0.index = nil },
        Fault("octets behind the index", .malformed(.index)) { $0.index?.trailing = [0] },
        Fault("policy of the index too long", .malformed(.index)) {
            $0.index?.policy = [UInt8](repeating: 0, count: 65)
        },
        Fault("index without a policy", .indexKind) { $0.index?.policy = [] },
        Fault("ordinary index", .indexKind) { $0.index?.attributes &= ~(8 << 4) },
        Fault("index that counts right PINs", .indexKind) { $0.index?.attributes |= 1 << 4 },
        Fault("index that was never written", .indexKind) { $0.index?.attributes &= ~(1 << 29) },
        Fault("index that its PIN may write", .indexKind) { $0.index?.attributes |= 1 << 2 },
        Fault("index that the owner may write", .indexKind) { $0.index?.attributes |= 1 << 1 },
        Fault("index that the platform may write", .indexKind) { $0.index?.attributes |= 1 },
        Fault("index that a start resets", .indexKind) { $0.index?.attributes |= 1 << 27 },
        Fault("index that is kept in volatile memory", .indexKind) { $0.index?.attributes |= 1 << 26 },
        Fault("index of another size", .indexKind) { $0.index?.byteCount = 16 },
        Fault("index with a name of another digest", .indexKind) { $0.index?.nameAlgorithm = 0x000C },
        Fault("content of the index not shown", .limitMissing) { $0.counts.isThere = false },
        Fault("content with the signature of another key", .wrongSignature) { $0.counts.spoiling = 1 },
        Fault("content in a quote", .wrongStatementType) { $0.counts.type = 0x8018 },
        Fault("content in a certification of a key", .wrongStatementType) { $0.counts.type = 0x8017 },
        Fault("content for another registration", .wrongQualification) { $0.counts.qualification = [1] },
        Fault("content of another index", .foreignIndex) { $0.counts.name = [0, 0x0B] },
        Fault("content from its middle", .malformed(.counts)) { $0.counts.offset = 1 },
        Fault("content too long", .malformed(.counts)) { $0.counts.contentTrailing = [0] },
        Fault("octets behind the content", .malformed(.counts)) { $0.counts.trailing = [0] },
        Fault("index that takes one wrong PIN too many", .limit) { $0.counts.limit = 6 },
        Fault("index that takes any number of wrong PINs", .limit) { $0.counts.limit = .max },
        Fault("index that takes no PIN", .limit) { $0.counts.limit = 0 },
        Fault("key that opens without its policy", .keyWithoutPolicy) { $0.publicArea.attributes |= 1 << 6 },
        Fault("key guarded by another index", .wrongPolicy) { $0.index?.policy[0] ^= 1 },
        Fault("key with no policy", .wrongPolicy) { $0.publicArea.policy = [] },
        Fault("key with a wider policy", .wrongPolicy) { $0.publicArea.policy[31] ^= 1 },
    ]

    @Test("Every fault of a statement is refused with its cause", arguments: faults)
    func refuses(fault: Fault) throws {
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
