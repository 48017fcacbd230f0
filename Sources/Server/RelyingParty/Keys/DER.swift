import Octets

/// Reads the few ASN.1 structures that keys and signatures of FIDO UAF are made of.
///
/// Only the distinguished encoding passes: definite lengths in their shortest form, integers without a needless leading
/// byte. Whatever a lenient parser would forgive gives one signature or key several spellings.
struct DERReader {
    enum Tag: UInt8 {
        case integer = 0x02
        case bitString = 0x03
        case octetString = 0x04
        case null = 0x05
        case objectIdentifier = 0x06
        case sequence = 0x30
    }

    private var octets: OctetReader

    init(_ bytes: ArraySlice<UInt8>) {
        octets = OctetReader(bytes)
    }

    mutating func read(_ tag: Tag) throws(DERError) -> ArraySlice<UInt8> {
        guard try readOctet() == tag.rawValue else { throw DERError() }
        let count = try readLength()
        guard let content = try? octets.read(count: count) else { throw DERError() }
        return content
    }

    /// Takes an integer that is not negative; gives its magnitude without leading zero bytes (none for 0).
    mutating func readMagnitude() throws(DERError) -> ArraySlice<UInt8> {
        let content = try read(.integer)
        guard let first = content.first, first < 0x80 else { throw DERError() }
        guard first == 0 else { return content }
        let rest = content.dropFirst()
        // A zero byte may stand in front only to keep the number positive.
        guard let second = rest.first else { return rest }
        guard second >= 0x80 else { throw DERError() }
        return rest
    }

    /// Ends reading; nothing may follow.
    func finish() throws(DERError) {
        guard octets.isAtEnd else { throw DERError() }
    }

    private mutating func readOctet() throws(DERError) -> UInt8 {
        guard let octet = try? octets.readUInt8() else { throw DERError() }
        return octet
    }

    private mutating func readLength() throws(DERError) -> Int {
        let first = try readOctet()
        guard first >= 0x80 else { return Int(first) }
        let byteCount = Int(first & 0x7F)
        // Two bytes of length reach far beyond the largest key (a UAF assertion has at most 4,096 bytes).
        guard (1...2).contains(byteCount) else { throw DERError() }
        var length = 0
        for _ in 0..<byteCount { length = length << 8 | Int(try readOctet()) }
        guard length >= (byteCount == 1 ? 0x80 : 0x100) else { throw DERError() }
        return length
    }
}

/// Bytes are not the distinguished encoding of what had to stand here (X.690, 10).
struct DERError: Error, Hashable, Sendable {}
