package import BackendAPI
import Octets
package import UAF

/// Delivery of out-of-band payloads to phones over one channel.
package protocol Dispatcher: Sendable {
    var name: DispatcherName { get }

    /// Whether it needs a dispatch target with a push destination.
    var requiresTarget: Bool { get }

    /// Whether it takes sealed payloads only, because a service in between could read them.
    var requiresEncryption: Bool { get }

    /// Delivers one parcel, with as many tries as the channel deserves.
    ///
    /// It returns within a bounded time and never throws: what went wrong is in the result. It logs neither the
    /// content nor the destination.
    func dispatch(_ parcel: DispatchPayload) async -> DispatchDelivery

    /// Shows a notification without a payload on a phone, within a bounded time.
    ///
    /// ``DispatchFailure/refused`` from a dispatcher that pushes nothing.
    func announce(
        _ notification: DispatchPayload.Notification, to destination: PushDestination
    ) async -> DispatchDelivery
}

extension Dispatcher {
    package func announce(
        _ notification: DispatchPayload.Notification, to destination: PushDestination
    ) async -> DispatchDelivery {
        .failed(.refused)
    }
}

/// Message for a dispatcher to deliver to a phone; nothing in it names the user.
package struct DispatchPayload: Sendable {
    /// Envelope of the payload, in its parts and as one text.
    package struct Envelope: Sendable, Hashable {
        /// The content: a compact JWE when it is sealed, the text of a JSON object when it is not.
        package var content: String { sensitiveContent.reveal() }
        private let sensitiveContent: Sensitive<String>
        /// `application/jose` when the content is sealed, `application/json` when it is not.
        package let contentType: String
        /// The version of the form, `1`.
        package let version: String
        /// The envelope as one JSON document, its three members in the order of the interface.
        package var text: String { sensitiveText.reveal() }
        private let sensitiveText: Sensitive<String>

        package init(content: String, contentType: String, version: String, text: String) {
            sensitiveContent = Sensitive(content)
            self.contentType = contentType
            self.version = version
            sensitiveText = Sensitive(text)
        }
    }

    /// Notification that the phone shows when the message arrives.
    package struct Notification: Sendable, Hashable {
        package let title: String?
        package let body: String?

        package init(title: String?, body: String?) {
            self.title = title
            self.body = body
        }
    }

    package let envelope: Envelope
    /// Push destination; nil for links and QR codes.
    package let destination: PushDestination?
    package let notification: Notification?
    package let operation: OperationKind
    /// Time of creation of the token in the payload.
    package let createdAt: Timestamp
    /// Expiry of the token; a later delivery is worth nothing either.
    package let expiresAt: Timestamp

    package init(
        envelope: Envelope, destination: PushDestination?, notification: Notification?, operation: OperationKind,
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

/// Result of the delivery of a parcel.
package enum DispatchDelivery: Sendable, Hashable {
    /// It has been sent or, for links and QR codes, is in the response.
    ///
    /// The response goes to the initiator as it is: the URL of a link, the base64 of a PNG, the name of a message.
    /// `codeText` is the text of the QR code in that PNG, and nil without one.
    case delivered(response: String, codeText: String? = nil)
    case failed(DispatchFailure)
}

/// Cause of a failed delivery.
package enum DispatchFailure: String, Sendable, Hashable, CaseIterable {
    /// The delivery service does not answer or is overloaded, also after trying again; another try may succeed.
    case unavailable
    /// The delivery service refuses the message or our credentials; trying again does not help.
    case refused
    /// The delivery service does not know the destination any more: the application was removed or the token replaced.
    case unregistered
}

/// One dispatcher as the operator has set it up.
package struct DispatcherSettings: Sendable, Hashable {
    /// Channel of delivery, with its own settings.
    package enum Channel: Sendable, Hashable {
        case firebaseCloudMessaging(FirebaseSettings)
        case link(LinkAddress)
        /// The picture of a QR code that holds the payload.
        case pngQRCode
        /// The picture of a QR code that holds the URL of a link.
        case linkPNGQRCode(LinkAddress)
    }

    package var channel: Channel
    package var redeemAddresses = RedeemAddresses()
    /// Whether it takes sealed payloads only; push messages are always sealed.
    package var requiresEncryption = false

    package init(_ channel: Channel) {
        self.channel = channel
    }

    package var name: DispatcherName {
        switch channel {
        case .firebaseCloudMessaging: .firebaseCloudMessaging
        case .link: .link
        case .pngQRCode: .pngQRCode
        case .linkPNGQRCode: .linkPNGQRCode
        }
    }

    /// Dispatchers that need nothing from outside, for trying things out: a custom scheme stands in for the
    /// application's link.
    package static let trial: [DispatcherSettings] = {
        guard let link = LinkAddress("signet://open") else { return [.init(.pngQRCode)] }
        return [.init(.link(link)), .init(.linkPNGQRCode(link)), .init(.pngQRCode)]
    }()
}
