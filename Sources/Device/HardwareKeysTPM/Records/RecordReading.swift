import HardwareKeys
import Octets

/// Reads the fields of a record; whatever does not fit is damage.
struct RecordReading {
    private var reader: OctetReader

    init(_ body: [UInt8]) {
        reader = OctetReader(body)
    }

    mutating func byte() throws(KeyVaultError) -> UInt8 {
        try Self.mapped { () throws(OctetError) in try reader.readUInt8() }
    }

    mutating func number() throws(KeyVaultError) -> UInt32 {
        try Self.mapped { () throws(OctetError) in try reader.readUInt32LittleEndian() }
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
