import Crypto
package import ServerCore

extension AuditKey {
    /// Key of audits that no server writes.
    package static let ofTests = AuditKey(SymmetricKey(data: [UInt8](repeating: 3, count: 32)))
}
