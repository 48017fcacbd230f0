package import Crypto
import Synchronization

/// Key that proves the records of the audit.
///
/// The proof of a record is SHA-256 over its hash and the code of its event, which is HMAC-SHA-256 (RFC 2104) under this key.
/// The code is stored nowhere. An attacker who writes to the database computes hashes, but no proof: neither of another
/// event, nor of the same event at another place in a chain. A database that chains records itself is handed the codes of
/// these events, and never the key.
package struct AuditKey: Sendable {
    /// HMAC with the key laid out, before any event.
    private let keyed: HMAC<SHA256>

    package init(_ secret: SymmetricKey) { keyed = HMAC(key: secret) }

    package func code(of event: [UInt8]) -> [UInt8] {
        var code = keyed
        code.update(data: event)
        return code.finalize().octets
    }

    /// Proof of the record with this hash, by the code of its event.
    package static func proof(of hash: AuditHash, _ code: [UInt8]) -> [UInt8] {
        SHA256.hash(data: hash.octets + code).octets
    }

    func proves(_ record: AuditRecord) -> Bool {
        record.proof == Self.proof(of: record.hash, code(of: record.event))
    }
}

/// Key of the records that a process writes, once it has read the keys of the server.
package final class AuditKeyHolder: Sendable {
    private let held = Mutex<AuditKey?>(nil)

    package init() {}

    package var key: AuditKey? { held.withLock { $0 } }

    package func hold(_ key: AuditKey) { held.withLock { $0 = key } }
}
