import Crypto
import Octets

/// The fingers of the account that the fingerprint service knows, by name.
///
/// The service keeps no count of changes: a finger that is enrolled again under the same name cannot be told from the
/// old one.
public struct EnrolledFingers: Hashable, Sendable {
    /// The names, sorted by their bytes, each once.
    public let names: [String]

    /// Takes the names in any order.
    public init(names: some Sequence<String>) {
        var sorted: [String] = []
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        where !(sorted.last?.utf8.elementsEqual(name.utf8) ?? false) {
            sorted.append(name)
        }
        self.names = sorted
    }

    /// SHA-256 over the sorted names, each with its length; 32 bytes that differ when a finger is added or removed.
    public var digest: [UInt8] {
        var writer = OctetWriter()
        writer.write(Array("signet enrolled fingers 1".utf8))
        for name in names {
            writer.writeUInt16LittleEndian(UInt16(truncatingIfNeeded: name.utf8.count))
            writer.write(Array(name.utf8))
        }
        return Array(SHA256.hash(data: writer.bytes))
    }
}
