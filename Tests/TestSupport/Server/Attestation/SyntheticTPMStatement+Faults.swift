package import DeviceAttestation
import UAF

extension SyntheticTPMStatement {
    /// Fault of such a statement, and its refusal.
    package typealias Fault = StatementFault<SyntheticTPMStatement, TPMRefusal>

    /// Statements about keys, each with one fault, where a PIN with at most five tries in a row is demanded.
    package static let faults: [Fault] = [
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
}
