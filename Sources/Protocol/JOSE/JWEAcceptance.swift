/// What a receiver opens; fixed by its keys before any token is read.
public struct JWEAcceptance: Hashable, Sendable {
    /// The ways to hand over the content key.
    public let algorithms: Set<JWEAlgorithm>
    /// The ciphers of the content.
    public let encryptions: Set<ContentEncryption>

    /// Everything that the holder of a key on P-256 can open.
    public static let agreement = JWEAcceptance()

    /// Only these; ``JWEAlgorithm/rsaOAEP256`` among them changes nothing, since no token of it is opened.
    public init(
        algorithms: Set<JWEAlgorithm> = [.ecdhES, .ecdhESA128KW, .ecdhESA256KW],
        encryptions: Set<ContentEncryption> = Set(ContentEncryption.allCases)
    ) {
        self.algorithms = algorithms
        self.encryptions = encryptions
    }

    /// What the holder of this key accepts: the algorithm that the key names, or all that go with it.
    ///
    /// Throws ``JOSEError/unsupportedKey`` when the key is for something else.
    public init(holderOf key: JWK) throws(JOSEError) {
        self.init(algorithms: Set(try key.encryptionAlgorithms()))
    }

    /// Throws ``JOSEError/algorithmMismatch`` unless both algorithms of a header are accepted.
    func require(_ header: JWEHeader) throws(JOSEError) {
        guard algorithms.contains(header.algorithm), encryptions.contains(header.encryption) else {
            throw .algorithmMismatch
        }
    }
}
