package import BackendAPI
package import UAF

/// What a dispatcher has to bring to a phone; nothing in it names the user.
package struct DispatchParcel: Sendable {
    /// The envelope of the payload (`backend-http-api` 2.6.1), in its parts and as one text.
    package struct Envelope: Sendable, Hashable {
        /// The content: a compact JWE when it is sealed, the text of a JSON object when it is not.
        package let content: String
        /// `application/jose` when the content is sealed, `application/json` when it is not.
        package let contentType: String
        /// The version of the form, `1`.
        package let version: String
        /// The envelope as one JSON document, its three members in the order of the interface.
        package let text: String

        /// Puts the parts and the text made of them together.
        package init(content: String, contentType: String, version: String, text: String) {
            self.content = content
            self.contentType = contentType
            self.version = version
            self.text = text
        }
    }

    /// What the phone shows when the message arrives.
    package struct Notification: Sendable, Hashable {
        /// The title.
        package let title: String?
        /// The text below it.
        package let body: String?

        /// Puts both together.
        package init(title: String?, body: String?) {
            self.title = title
            self.body = body
        }
    }

    /// The payload.
    package let envelope: Envelope
    /// Where to push it; nil for links and QR codes.
    package let destination: PushDestination?
    /// What the phone shows; nil when the dispatch says nothing of it.
    package let notification: Notification?
    /// The operation that the payload asks for.
    package let operation: Operation
    /// When the token in the payload was made.
    package let createdAt: Timestamp
    /// From when on the token is worth nothing, and delivery with it.
    package let expiresAt: Timestamp

    /// Packs a parcel.
    package init(
        envelope: Envelope, destination: PushDestination?, notification: Notification?, operation: Operation,
        createdAt: Timestamp, expiresAt: Timestamp
    ) {
        self.envelope = envelope
        self.destination = destination
        self.notification = notification
        self.operation = operation
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
