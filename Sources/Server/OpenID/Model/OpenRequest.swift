package import ServerCore

/// A row that a stranger's request has left: what the bound on such rows has to know (``OpenRequestBound``).
package struct OpenRequest: Sendable, Hashable {
    package enum Kind: Sendable {
        /// A sign-in page.
        case page
        /// A request that was pushed in the name of a client without a proof.
        case pushed
    }

    package let id: [UInt8]
    /// Network of the sender, see ``ServerCore/ClientContext/network``.
    package let network: String
    package let expiresAt: Timestamp

    package init(id: [UInt8], network: String, expiresAt: Timestamp) {
        self.id = id
        self.network = network
        self.expiresAt = expiresAt
    }
}
