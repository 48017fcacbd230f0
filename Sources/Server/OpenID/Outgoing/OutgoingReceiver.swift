/// Receiver of messages of one kind.
package struct OutgoingReceiver: Sendable, Hashable {
    package let kind: OutgoingMessage.Kind
    /// Name of the receiver: a webhook of the configuration, or a client.
    package let name: String

    package init(kind: OutgoingMessage.Kind, name: String) {
        self.kind = kind
        self.name = name
    }
}
