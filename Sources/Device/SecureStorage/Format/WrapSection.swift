import HardwareKeys
import Octets

/// Section behind the header that leads to the root key: fields of tag, length and bytes, in order of their tags.
///
/// Tags and lengths have two bytes each, least significant first. Fields whose tag this version does not know are kept.
package struct WrapSection: Hashable, Sendable {
    /// Field tags.
    enum Tag: UInt16 {
        /// The root key under the key-encryption key: nonce 12, ciphertext 32, tag 16.
        case wrappedRootKey = 1
        /// The hardware key as the vault sealed it.
        case sealedHardwareKey = 2
        /// Eight bytes that tell another fingerprint from a damaged file.
        case fingerprintCheck = 3
        /// Digest of the enrolment when the storage was protected with ``SecureStorage/Protection/biometryCurrentSet``,
        /// 32 bytes.
        case enrollmentDigest = 4
        /// The name of the storage in UTF-8: a file under another name is not what it says.
        case storageName = 5
        /// Eight bytes that tell another passphrase from a damaged file.
        case passphraseCheck = 6
        /// Validity of a user verification, during which values can be read, in milliseconds, 4 bytes.
        case reauthenticationTimeout = 7
    }

    static let byteLimit = 16_384
    static let wrappedRootKeyByteCount = 12 + 32 + 16
    static let checkByteCount = 8
    static let digestByteCount = 32

    private var fields: [UInt16: [UInt8]] = [:]

    init() {}

    /// Reads a section; nil unless tags rise and every field is whole.
    package init?(parsing bytes: some Collection<UInt8>) {
        guard bytes.count <= Self.byteLimit else { return nil }
        var reader = OctetReader(Array(bytes))
        var last: Int = -1
        while !reader.isAtEnd {
            guard let tag = try? reader.readUInt16LittleEndian(), let count = try? reader.readUInt16LittleEndian(),
                let content = try? reader.read(count: Int(count)), Int(tag) > last
            else { return nil }
            fields[tag] = Array(content)
            last = Int(tag)
        }
    }

    subscript(tag: Tag) -> [UInt8]? {
        get { fields[tag.rawValue] }
        set { fields[tag.rawValue] = newValue }
    }

    package var encoded: [UInt8] {
        var writer = OctetWriter()
        for (tag, content) in fields.sorted(by: { $0.key < $1.key }) {
            writer.writeUInt16LittleEndian(tag)
            writer.writeUInt16LittleEndian(UInt16(truncatingIfNeeded: content.count))
            writer.write(content)
        }
        return writer.bytes
    }
}

extension WrapSection {
    private static let leastMilliseconds: Int64 = 1
    private static let mostMilliseconds: Int64 = 86_400_000

    /// Validity of a user verification, during which values can be read: a millisecond to a day.
    var reauthenticationTimeout: Duration? {
        get {
            guard let field = self[.reauthenticationTimeout] else { return nil }
            var reader = OctetReader(field)
            return (try? reader.readUInt32LittleEndian()).map { .milliseconds($0) }
        }
        set {
            self[.reauthenticationTimeout] = newValue.map { timeout in
                let (seconds, attoseconds) = timeout.components
                let bounded = min(max(seconds, 0), Self.mostMilliseconds / 1_000)
                let milliseconds = bounded * 1_000 + attoseconds / 1_000_000_000_000_000
                var writer = OctetWriter()
                writer.writeUInt32LittleEndian(
                    UInt32(min(max(milliseconds, Self.leastMilliseconds), Self.mostMilliseconds)))
                return writer.bytes
            }
        }
    }
}
