package import Octets
package import ServerCore

/// Maker of the HTTP requests of some kinds of messages.
package protocol OutgoingRequestMaker: Sendable {
    /// Kinds that it makes requests of; no two makers name the same.
    var kinds: Set<OutgoingMessage.Kind> { get }

    /// Request for a message, signed now; nil when there is nothing to tell any more and the message is forgotten.
    ///
    /// Throws ``ServerError/signingFailed`` and ``ServerError/storageUnavailable``; it is tried again then.
    func request(for message: OutgoingMessage, at now: Timestamp) async throws(ServerError) -> OutgoingRequest?

    func ended(_ message: OutgoingMessage, isDelivered: Bool) async throws(ServerError)
}

/// POST to another system.
package struct OutgoingRequest: Sendable {
    package let address: OutgoingAddress
    /// Header fields beside `Host`, `Content-Length` and `User-Agent`; values of secrets are never logged.
    package var fields: [(name: String, value: Sensitive<String>)]
    package let body: [UInt8]

    package init(address: OutgoingAddress, fields: [(name: String, value: Sensitive<String>)], body: [UInt8]) {
        self.address = address
        self.fields = fields
        self.body = body
    }
}
