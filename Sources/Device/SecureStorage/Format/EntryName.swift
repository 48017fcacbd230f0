/// The name of an entry or of a storage: 1 to 100 letters of ASCII, digits, `-`, `_`, `.`.
///
/// ASCII has no second spelling, so the equality of `String` is one of bytes here.
struct EntryName: Hashable, Comparable, Sendable {
    static let byteLimit = 100

    let text: String

    init(key: String) throws(SecureStorageError) {
        if let fault = Self.fault(in: key) { throw .keyNameInvalid(fault) }
        text = key
    }

    /// Takes the name of a storage, which must not start with a dot.
    init(storage: String) throws(SecureStorageError) {
        if let fault = Self.fault(in: storage) { throw .storageNameInvalid(fault) }
        if storage.utf8.first == UInt8(ascii: ".") { throw .storageNameInvalid(.format) }
        text = storage
    }

    /// Takes bytes of a file; nil when no writer writes them.
    init?(octets: some Collection<UInt8>) {
        guard (1...Self.byteLimit).contains(octets.count), octets.allSatisfy(Self.isAllowed) else { return nil }
        text = String(decoding: octets, as: UTF8.self)
    }

    /// The name of a storage of this library's own; it starts with a dot so that it meets no other name.
    init(reserved name: StaticString) { text = name.description }

    static func < (one: EntryName, other: EntryName) -> Bool { one.text < other.text }

    private static func fault(in name: String) -> SecureStorage.NameFault? {
        var name = name
        // As one piece: a text gives its bytes one by one at five times the cost.
        guard name.withUTF8({ $0.allSatisfy(isAllowed) }) else { return .format }
        return (1...byteLimit).contains(name.utf8.count) ? nil : .length
    }

    private static func isAllowed(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default:
            false
        }
    }
}
