import Octets
import ServerCore
import UAF

/// Turns the state of a ceremony into `serverData` and back.
///
/// The text is encrypted and authenticated (AES-256-GCM); neither a phone nor an attacker on the way can read or change
/// it. What an attacker could try is to send it again, which the consumption of challenges stops.
struct CeremonySeal: Sendable {
    /// The text is forged, of another server, or sealed with a key that is gone.
    struct Refusal: Error, Hashable {}

    private static let version: UInt8 = 1

    let keys: KeyService
    let random: any RandomSource

    func seal(_ state: CeremonyState) throws(ServerError) -> ServerData {
        let key = try keys.current(.serverData)
        let prefix = [Self.version] + key.id.octets
        let nonce = random.bytes(count: AuthenticatedEncryption.nonceByteCount)
        let sealed = AuthenticatedEncryption.seal(state.octets, key: key.material, nonce: nonce, binding: prefix)
        guard let text = ServerData(Base64URL.encode(prefix + sealed)) else {
            // Only an appID beyond ASCII could be that long; `ServerServices` refuses it at the start.
            throw .invalidSetting(name: "appID")
        }
        return text
    }

    func open(_ serverData: ServerData) throws(Refusal) -> CeremonyState {
        let prefixCount = 1 + ServerKeyID.byteCount
        guard let bytes = try? Base64URL.decode(serverData.text), bytes.count > prefixCount, bytes[0] == Self.version,
            let id = ServerKeyID(bytes[1..<prefixCount]), let key = keys.key(id, .serverData)
        else { throw Refusal() }
        let binding = Array(bytes.prefix(prefixCount))
        guard
            let plaintext = try? AuthenticatedEncryption.open(
                bytes.dropFirst(prefixCount), key: key.material, binding: binding),
            let state = try? CeremonyState(octets: plaintext)
        else { throw Refusal() }
        return state
    }
}

extension CeremonyState {
    /// Set in the first byte of an out-of-band operation; a server that knows none of them refuses such a state.
    private static let outOfBandMark: UInt8 = 0x80
    /// Set in the first byte when a login follows at the end; a server that knows none refuses such a state.
    private static let evidenceMark: UInt8 = 0x40
    /// Set in the first byte when the client has named its exchange; a server that knows none refuses such a state.
    private static let exchangeMark: UInt8 = 0x20
    /// Set in the first byte by the rule for evidence of chips; a server that knows none refuses such a state.
    private static let keyAttestationMarks: [PolicyCatalog.KeyAttestation: UInt8] = [.verified: 0x10, .required: 0x08]

    /// Writes the state; the form is private to the server and may change with the version of the seal.
    var octets: [UInt8] {
        var writer = OctetWriter(capacity: 512)
        writer.writeUInt8(kind.rawValue | marks)
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
        if let exchange { writer.write(exchange.octets) }
        return writer.bytes
    }

    private var marks: UInt8 {
        var marks = Self.keyAttestationMarks[keyAttestation] ?? 0
        if isOutOfBand { marks |= Self.outOfBandMark }
        if evidence != nil { marks |= Self.evidenceMark }
        if exchange != nil { marks |= Self.exchangeMark }
        return marks
    }

    init(octets: [UInt8]) throws(CeremonyStateError) {
        var reader = OctetReader(octets)
        guard let state = try? Self.read(&reader), reader.isAtEnd else { throw .malformed }
        self = state
    }

    private static func read(_ reader: inout OctetReader) throws(OctetError) -> CeremonyState? {
        let mark = try reader.readUInt8()
        let keyAttestation = PolicyCatalog.KeyAttestation.allCases.filter { mark & (keyAttestationMarks[$0] ?? 0) != 0 }
        let marks = keyAttestationMarks.values.reduce(outOfBandMark | evidenceMark | exchangeMark) { $0 | $1 }
        let kind = CeremonyKind(rawValue: mark & ~marks)
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
        let exchange = mark & exchangeMark == 0 ? nil : ServerBinding.ExchangeID(try reader.read(count: 16))
        guard let kind, let id, let challenge, let policyName, let policyHash, let appID, let transactions,
            user.isEmpty || user.count == UserID.byteCount, cookie.isEmpty || cookie.count == 32,
            hasEvidence == (evidence != nil), keyAttestation.count < 2
        else { return nil }
        return CeremonyState(
            kind: kind, id: id, challenge: challenge, userID: UserID(user), policyName: policyName,
            policyHash: policyHash, appID: appID, issuedAt: issuedAt, expiresAt: expiresAt,
            transactions: transactions, cookieHash: CookieHash(stored: cookie),
            isOutOfBand: mark & outOfBandMark != 0, evidence: evidence, exchange: exchange,
            keyAttestation: keyAttestation.first ?? .ignored)
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

    /// Writes a time (64 bits, least significant byte first).
    mutating func writeTime(_ time: Timestamp) {
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

    mutating func readTime() throws(OctetError) -> Timestamp {
        let low = UInt64(try readUInt32LittleEndian())
        let high = UInt64(try readUInt32LittleEndian())
        return Timestamp(milliseconds: Int64(bitPattern: high << 32 | low))
    }
}

/// A sealed state that opened does not read: it was sealed by another version of the server.
enum CeremonyStateError: Error, Hashable {
    case malformed
}
