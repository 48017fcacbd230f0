package import ServerCore

/// Identifier of an outgoing message; `webhook-id` of webhooks.
package typealias OutgoingMessageID = OpaqueID<OutgoingMessage>

/// Message that waits to be sent to another system, kept until it is delivered or given up.
///
/// It is written in the transaction of what it tells, so that neither is lost. What it needs of a signature is made when
/// it is sent (``OutgoingRequestMaker``), so that times in it are fresh.
package struct OutgoingMessage: Sendable, Hashable {
    /// Kind of message; decides who makes the request of it.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Webhook; the destination is its name in the configuration.
        case webhook
        /// Logout token (OpenID Connect Back-Channel Logout 1.0, 2.5); the destination is a client.
        case logout
        /// Ping of CIBA (CIBA Core 1.0, 10.2); the destination is a client.
        case backchannelPing = "backchannel-ping"
        /// Push of CIBA (10.3); the destination is a client.
        case backchannelPush = "backchannel-push"
    }

    /// State of the delivery.
    package enum State: String, Sendable, Hashable, CaseIterable {
        case waiting
        /// Given up: a dead letter, kept for ``OpenIDSettings/Outgoing/deadLetterRetention``.
        case dead
    }

    /// Messages of one receiver that are read at a time.
    package static let queueLength = 16

    package let id: OutgoingMessageID
    package let kind: Kind
    /// Name of the receiver: 1 to 64 characters.
    package let destination: String
    /// Content by which the maker makes the request: JSON of at most 16 KiB, without secrets in the clear.
    package let content: [UInt8]
    package let createdAt: Timestamp
    package var state: State
    package var attempts: Int
    package var nextAttemptAt: Timestamp
    /// Cause of the last failure, from a fixed list of words; nil before the first.
    package var lastFailure: String?

    package init(id: OutgoingMessageID, kind: Kind, destination: String, content: [UInt8], createdAt: Timestamp) {
        self.init(
            stored: id, kind: kind, destination: destination, content: content, createdAt: createdAt, state: .waiting,
            attempts: 0, nextAttemptAt: createdAt, lastFailure: nil)
    }

    package init(
        stored id: OutgoingMessageID, kind: Kind, destination: String, content: [UInt8], createdAt: Timestamp,
        state: State, attempts: Int, nextAttemptAt: Timestamp, lastFailure: String?
    ) {
        self.id = id
        self.kind = kind
        self.destination = destination
        self.content = content
        self.createdAt = createdAt
        self.state = state
        self.attempts = attempts
        self.nextAttemptAt = nextAttemptAt
        self.lastFailure = lastFailure
    }
}
