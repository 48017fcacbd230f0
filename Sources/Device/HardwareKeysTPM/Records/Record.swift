import Crypto
import HardwareKeys
import Octets

/// Envelope of every record that a vault stores: four letters, a version, the body, a checksum.
///
/// The checksum only tells damage from loss: an attacker who can write the files can compute it. The chip takes back
/// only what it gave out, so a forged file gains nothing.
struct RecordEnvelope {
    static let byteLimit = 4_096

    private static let version: UInt8 = 1

    private let magic: [UInt8]
    /// Bytes that the checksum covers and that are not stored: what the record belongs to.
    private let context: [UInt8]

    init(_ magic: StaticString, context: [UInt8] = []) {
        self.magic = magic.withUTF8Buffer { Array($0) }
        self.context = context
    }

    /// The stored form; tests ask for the ones of other versions.
    func wrap(_ body: [UInt8], version: UInt8 = version) -> [UInt8] {
        let bytes = magic + [version] + body
        return bytes + checksum(bytes)
    }

    /// The body; throws `KeyVaultError.damaged` and `KeyVaultError.newerFormat`.
    func unwrap(_ bytes: [UInt8]) throws(KeyVaultError) -> [UInt8] {
        let overhead = magic.count + 1 + SHA256.byteCount
        guard bytes.count >= overhead, bytes.count <= Self.byteLimit, bytes.starts(with: magic) else { throw .damaged }
        let content = Array(bytes.dropLast(SHA256.byteCount))
        guard checksum(content) == Array(bytes.suffix(SHA256.byteCount)) else { throw .damaged }
        let version = bytes[magic.count]
        guard version == Self.version else {
            throw version > Self.version ? .newerFormat(version: version) : .damaged
        }
        return Array(content.dropFirst(magic.count + 1))
    }

    private func checksum(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: context + bytes)) }
}

/// Reads the fields of a record; whatever does not fit is damage.
struct RecordReading {
    private var reader: OctetReader

    init(_ body: [UInt8]) { reader = OctetReader(body) }

    mutating func byte() throws(KeyVaultError) -> UInt8 {
        try Self.mapped { () throws(OctetError) in try reader.readUInt8() }
    }

    mutating func number() throws(KeyVaultError) -> UInt32 {
        try Self.mapped { () throws(OctetError) in try reader.readUInt32LittleEndian() }
    }

    mutating func count() throws(KeyVaultError) -> UInt64 {
        let low = try number()
        return UInt64(try number()) << 32 | UInt64(low)
    }

    mutating func bytes(count: Int) throws(KeyVaultError) -> [UInt8] {
        try Self.mapped { () throws(OctetError) in Array(try reader.read(count: count)) }
    }

    /// Bytes after their number (16 bits).
    mutating func sizedBytes() throws(KeyVaultError) -> [UInt8] {
        let count = try Self.mapped { () throws(OctetError) in try reader.readUInt16LittleEndian() }
        return try bytes(count: Int(count))
    }

    mutating func flag() throws(KeyVaultError) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw .damaged
        }
    }

    mutating func digest() throws(KeyVaultError) -> PolicyDigest {
        guard let digest = PolicyDigest(octets: try bytes(count: PolicyDigest.byteCount)) else { throw .damaged }
        return digest
    }

    mutating func reference() throws(KeyVaultError) -> KeyReference {
        guard let reference = KeyReference(bytes: try bytes(count: KeyReference.byteCount)) else { throw .damaged }
        return reference
    }

    mutating func indexNumber() throws(KeyVaultError) -> UInt32 {
        let number = try number()
        guard Index.range.contains(number) else { throw .damaged }
        return number
    }

    mutating func blobs() throws(KeyVaultError) -> KeyBlobs {
        let publicArea = try sizedBytes()
        return try KeyBlobs(publicArea: publicArea, privateArea: try sizedBytes())
    }

    func finish() throws(KeyVaultError) {
        try Self.mapped { () throws(OctetError) in try reader.finish() }
    }

    private static func mapped<Value>(_ read: () throws(OctetError) -> Value) throws(KeyVaultError) -> Value {
        do {
            return try read()
        } catch {
            throw .damaged
        }
    }
}
