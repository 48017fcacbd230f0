package import Crypto

/// Statement of a chip that exists on paper only: every field can be given another value.
package struct SyntheticTPMStatement: Sendable {
    /// TPMT_PUBLIC of a key on P-256.
    package struct PublicArea: Sendable {
        /// fixedTPM, fixedParent, sensitiveDataOrigin, adminWithPolicy, noDA, sign.
        package static let guarded: UInt32 = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 10 | 1 << 18
        /// fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, restricted, sign.
        package static let attesting: UInt32 = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 16 | 1 << 18

        package var type: UInt16 = 0x0023
        package var nameAlgorithm: UInt16 = 0x000B
        package var attributes: UInt32
        package var policy: [UInt8]
        /// Numbers of algorithms as they stand there: symmetric, scheme, digest, curve, derivation.
        package var algorithms: [UInt16] = [0x0010, 0x0018, 0x000B, 0x0003, 0x0010]
        package var x: [UInt8]
        package var y: [UInt8]
        package var trailing: [UInt8] = []

        /// The public area of this key.
        package init(_ key: P256.Signing.PublicKey, attributes: UInt32, policy: [UInt8] = []) {
            self.attributes = attributes
            self.policy = policy
            x = Array(key.rawRepresentation.prefix(32))
            y = Array(key.rawRepresentation.suffix(32))
        }

        /// The structure.
        package var octets: [UInt8] {
            var writer = TPMWriter()
            writer.write(type)
            writer.write(nameAlgorithm)
            writer.write(attributes)
            writer.write(buffer: policy)
            for algorithm in algorithms { writer.write(algorithm) }
            writer.write(buffer: x)
            writer.write(buffer: y)
            return writer.octets + trailing
        }

        /// Its name.
        package var name: [UInt8] { [0, 0x0B] + SHA256.hash(data: octets) }
    }

    /// TPMS_NV_PUBLIC of an index that counts wrong PINs.
    package struct Index: Sendable {
        package var nameAlgorithm: UInt16 = 0x000B
        package var attributes: UInt32 = 8 << 4 | 1 << 3 | 1 << 17 | 1 << 18 | 1 << 25 | 1 << 29
        package var policy = [UInt8](repeating: 0x77, count: 32)
        package var byteCount: UInt16 = 8
        package var trailing: [UInt8] = []

        /// The structure.
        package var octets: [UInt8] {
            var writer = TPMWriter()
            writer.write(UInt32(0x0180_1234))
            writer.write(nameAlgorithm)
            writer.write(attributes)
            writer.write(buffer: policy)
            writer.write(byteCount)
            return writer.octets + trailing
        }

        /// The policy of what its PIN opens.
        package var opening: [UInt8] {
            let name = [0, 0x0B] + Array(SHA256.hash(data: octets))
            let shown = SHA256.hash(data: [UInt8](repeating: 0, count: 32) + [0, 0, 1, 0x51] + name)
            return Array(SHA256.hash(data: Array(shown)))
        }
    }

    /// The key that signs for the chip.
    package var attestationKey = P256.Signing.PrivateKey()
    package var publicArea: PublicArea
    package var index: Index? = Index()
    package var magic: UInt32 = 0xFF54_4347
    package var type: UInt16 = 0x8017
    package var qualification: [UInt8]
    /// Whether the clock has only gone forward (a Boolean).
    package var isSafe: UInt8 = 1
    /// Name of the object that is certified; nil for the name of ``publicArea``.
    package var certifiedName: [UInt8]?
    package var trailing: [UInt8] = []
    /// Numbers of algorithm and digest of the signature.
    package var signatureAlgorithms: [UInt16] = [0x0018, 0x000B]
    /// Number by which every octet of the signature is changed.
    package var spoiling: UInt8 = 0
    package var signatureTrailing: [UInt8] = []

    /// Statement about the content of the index.
    package var counts = Counts()

    /// TPMS_ATTEST about the content of an index: every field can be given another value.
    package struct Counts: Sendable {
        package var isThere = true
        package var type: UInt16 = 0x8014
        /// Qualifying data; nil for the data of the statement about the key.
        package var qualification: [UInt8]?
        /// Name of the index; nil for the right one.
        package var name: [UInt8]?
        package var offset: UInt16 = 0
        package var failures: UInt32 = 0
        package var limit: UInt32 = 5
        /// Octets behind the content, within its size.
        package var contentTrailing: [UInt8] = []
        package var trailing: [UInt8] = []
        package var spoiling: UInt8 = 0
    }

    /// A sound statement about a key that an index guards.
    package init(about key: P256.Signing.PublicKey, qualification: [UInt8]) {
        self.qualification = qualification
        publicArea = PublicArea(key, attributes: PublicArea.guarded, policy: Index().opening)
    }

    /// TPMS_ATTEST.
    package var attest: [UInt8] {
        var writer = head(type: type, qualification: qualification)
        writer.write(buffer: certifiedName ?? publicArea.name)
        writer.write(buffer: [0, 0x0B] + [UInt8](repeating: 0x52, count: 32))
        return writer.octets + trailing
    }

    /// TPMS_ATTEST about the content of the index; empty when there is none.
    package var countsAttest: [UInt8] {
        guard counts.isThere, let index else { return [] }
        var content = TPMWriter()
        content.write(counts.failures)
        content.write(counts.limit)
        var writer = head(type: counts.type, qualification: counts.qualification ?? qualification)
        writer.write(buffer: counts.name ?? [0, 0x0B] + SHA256.hash(data: index.octets))
        writer.write(counts.offset)
        writer.write(buffer: content.octets + counts.contentTrailing)
        return writer.octets + counts.trailing
    }

    /// The statement as it is sent.
    package func octets() throws -> [UInt8] {
        var writer = TPMWriter()
        writer.write(UInt16(1))
        let parts = [
            attest, try signature(), publicArea.octets, index?.octets ?? [], countsAttest, try countsSignature(),
        ]
        for part in parts { writer.write(buffer: part) }
        return writer.octets
    }

    private func head(type: UInt16, qualification: [UInt8]) -> TPMWriter {
        var writer = TPMWriter()
        writer.write(magic)
        writer.write(type)
        writer.write(buffer: [0, 0x0B] + [UInt8](repeating: 0x51, count: 32))
        writer.write(buffer: qualification)
        for number: UInt32 in [0, 4711, 2, 0] { writer.write(number) }
        writer.write(octet: isSafe)
        for number: UInt32 in [0x2020_0101, 7] { writer.write(number) }
        return writer
    }

    /// TPMT_SIGNATURE over ``attest``.
    package func signature() throws -> [UInt8] {
        try signature(over: attest, spoiling: spoiling)
    }

    /// TPMT_SIGNATURE over ``countsAttest``; empty when there is none.
    package func countsSignature() throws -> [UInt8] {
        countsAttest.isEmpty ? [] : try signature(over: countsAttest, spoiling: counts.spoiling)
    }

    private func signature(over octets: [UInt8], spoiling: UInt8) throws -> [UInt8] {
        let raw = Array(try attestationKey.signature(for: octets).rawRepresentation)
        var writer = TPMWriter()
        for algorithm in signatureAlgorithms { writer.write(algorithm) }
        writer.write(buffer: raw.prefix(32).map { $0 ^ spoiling })
        writer.write(buffer: raw.suffix(32).map { $0 ^ spoiling })
        return writer.octets + signatureTrailing
    }
}

/// Collects integers with the most significant byte first, and buffers behind their size.
private struct TPMWriter {
    private(set) var octets: [UInt8] = []

    mutating func write(octet: UInt8) {
        octets.append(octet)
    }

    mutating func write(_ number: some FixedWidthInteger & UnsignedInteger) {
        withUnsafeBytes(of: number.bigEndian) { octets.append(contentsOf: $0) }
    }

    mutating func write(buffer: [UInt8]) {
        write(UInt16(buffer.count))
        octets += buffer
    }
}
