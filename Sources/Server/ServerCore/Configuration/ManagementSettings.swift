/// The listener for liveness, health and metrics: where it listens, and who may ask.
package struct ManagementSettings: Sendable, Hashable {
    /// Place where it listens.
    package enum Place: Sendable, Hashable {
        case address(ListenerAddress)
        /// A Unix socket at a path, which lets in the accounts that its mode names.
        case socket(path: String, access: SocketAccess)
    }

    /// Accounts that may connect to a Unix socket.
    package enum SocketAccess: String, CaseIterable, Sendable {
        /// The account of the server: mode 0600.
        case owner
        /// The group of the socket as well: mode 0660.
        case group
    }

    /// Token without which health says no more than `UP` or `DOWN`, and metrics say nothing.
    package struct Token: Sendable, Hashable {
        /// Allowed length of a token in bytes: shorter ones could be guessed.
        package static let byteCounts = AccessKey.byteCounts

        package let file: String
        package let hash: AccessKeyHash

        /// Takes the text of a token; nil when its length is not allowed.
        package init?(file: String, text: String) {
            guard Self.byteCounts.contains(text.utf8.count) else { return nil }
            self.file = file
            hash = AccessKeyHash(of: text.utf8)
        }
    }

    package var place = Place.address(ListenerAddress(host: "127.0.0.1", port: 9089))
    package var security = TransportSecurity.plain
    /// Token that opens health and metrics; nil: all who can connect may ask.
    package var token: Token?

    package init() {}

    /// Host and port; nil for a Unix socket.
    package var address: ListenerAddress? {
        switch place {
        case .address(let address): address
        case .socket: nil
        }
    }
}
