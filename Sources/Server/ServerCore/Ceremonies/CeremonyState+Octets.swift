import Octets
import UAF

extension CeremonyState {
    /// Set in the first byte of an out-of-band operation; a server that knows none of them refuses such a state.
    private static let outOfBandMark: UInt8 = 0x80
    /// Set in the first byte when a login follows at the end; a server that knows none refuses such a state.
    private static let evidenceMark: UInt8 = 0x40

    /// Writes the state; the form is private to the server and may change with the version of the seal.
    var octets: [UInt8] {
        var writer = OctetWriter(capacity: 512)
        writer.writeUInt8(
            kind.rawValue | (isOutOfBand ? Self.outOfBandMark : 0) | (evidence == nil ? 0 : Self.evidenceMark))
        writer.write(id.octets)
        writer.writeShort(challenge.octets)
        writer.writeShort(userID?.octets ?? [])
        writer.writeShort(Array(policyName.text.utf8))
        writer.write(policyHash.octets)
        writer.writeLong(Array(appID.text.utf8))
        writer.writeTime(issuedAt)
        writer.writeTime(expiresAt)
        writer.writeUInt8(UInt8(transactions.count))
        for hash in transactions { writer.write(hash.octets) }
        writer.writeShort(cookieHash?.octets ?? [])
        if let evidence { writer.writeShort(evidence.octets) }
        return writer.bytes
    }

    /// Reads what ``octets`` wrote; throws for anything else.
    init(octets: [UInt8]) throws(CeremonyStateError) {
        var reader = OctetReader(octets)
        guard let state = try? Self.read(&reader), reader.isAtEnd else { throw .malformed }
        self = state
    }

    private static func read(_ reader: inout OctetReader) throws(OctetError) -> CeremonyState? {
        let mark = try reader.readUInt8()
        let kind = CeremonyKind(rawValue: mark & ~(outOfBandMark | evidenceMark))
        let id = CeremonyID(try reader.read(count: CeremonyID.byteCount))
        let challenge = ServerChallenge(try reader.readShort())
        let user = try reader.readShort()
        let policyName = PolicyName(String(decoding: try reader.readShort(), as: UTF8.self))
        let policyHash = PolicyHash(stored: try reader.read(count: 32))
        let appID = AppID(String(decoding: try reader.readLong(), as: UTF8.self))
        let issuedAt = try reader.readTime()
        let expiresAt = try reader.readTime()
        let transactions = try readTransactions(&reader)
        let cookie = try reader.readShort()
        let hasEvidence = mark & evidenceMark != 0
        let evidence =
            hasEvidence ? RequestAuthorization.Evidence(stored: try reader.readShort()) : nil
        guard let kind, let id, let challenge, let policyName, let policyHash, let appID, let transactions,
            user.isEmpty || user.count == UserID.byteCount, cookie.isEmpty || cookie.count == 32,
            hasEvidence == (evidence != nil)
        else { return nil }
        return CeremonyState(
            kind: kind, id: id, challenge: challenge, userID: UserID(user), policyName: policyName,
            policyHash: policyHash, appID: appID, issuedAt: issuedAt, expiresAt: expiresAt,
            transactions: transactions, cookieHash: CookieHash(stored: cookie),
            isOutOfBand: mark & outOfBandMark != 0, evidence: evidence)
    }

    private static func readTransactions(_ reader: inout OctetReader) throws(OctetError) -> [TransactionHash]? {
        let count = Int(try reader.readUInt8())
        guard count <= transactionLimit else { return nil }
        var hashes: [TransactionHash] = []
        for _ in 0..<count {
            if let hash = TransactionHash(stored: try reader.read(count: 32)) { hashes.append(hash) }
        }
        return hashes
    }
}

extension OctetWriter {
    fileprivate mutating func writeShort(_ octets: [UInt8]) {
        writeUInt8(UInt8(octets.count))
        write(octets)
    }

    fileprivate mutating func writeLong(_ octets: [UInt8]) {
        writeUInt16LittleEndian(UInt16(octets.count))
        write(octets)
    }

    fileprivate mutating func writeTime(_ time: Timestamp) {
        let bits = UInt64(bitPattern: time.milliseconds)
        writeUInt32LittleEndian(UInt32(truncatingIfNeeded: bits))
        writeUInt32LittleEndian(UInt32(truncatingIfNeeded: bits >> 32))
    }
}

extension OctetReader {
    fileprivate mutating func readShort() throws(OctetError) -> ArraySlice<UInt8> {
        try read(count: Int(try readUInt8()))
    }

    fileprivate mutating func readLong() throws(OctetError) -> ArraySlice<UInt8> {
        try read(count: Int(try readUInt16LittleEndian()))
    }

    fileprivate mutating func readTime() throws(OctetError) -> Timestamp {
        let low = UInt64(try readUInt32LittleEndian())
        let high = UInt64(try readUInt32LittleEndian())
        return Timestamp(milliseconds: Int64(bitPattern: high << 32 | low))
    }
}
