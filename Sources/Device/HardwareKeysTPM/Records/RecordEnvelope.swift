import Crypto
import HardwareKeys

/// What is around everything that a vault stores: four letters, a version, the body, a checksum.
///
/// The checksum tells damage from loss, no more: whoever may write the files can compute it. What he could gain is kept
/// by the chip, which takes back only what it gave out.
struct RecordEnvelope {
    /// The most bytes of a record.
    static let byteLimit = 4_096

    private static let version: UInt8 = 1

    private let magic: [UInt8]
    /// What a record belongs to and what is not stored in it.
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

    private func checksum(_ bytes: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: context + bytes))
    }
}
