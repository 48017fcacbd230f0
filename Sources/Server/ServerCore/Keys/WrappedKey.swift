package typealias ServerKeyID = OpaqueID<WrappedKey>

/// A key of the server as it is stored: encrypted with the master key.
package struct WrappedKey: Sendable, Hashable {
    package let id: ServerKeyID
    package let purpose: KeyPurpose
    package let createdAt: Timestamp
    /// Time from which on the key is used for sealing and signing.
    package let activeFrom: Timestamp
    /// The encrypted key, bound to all members above, see ``KeyWrapping``.
    package let wrapped: [UInt8]

    package init(
        id: ServerKeyID, purpose: KeyPurpose, createdAt: Timestamp, activeFrom: Timestamp, wrapped: [UInt8]
    ) {
        self.id = id
        self.purpose = purpose
        self.createdAt = createdAt
        self.activeFrom = activeFrom
        self.wrapped = wrapped
    }
}
