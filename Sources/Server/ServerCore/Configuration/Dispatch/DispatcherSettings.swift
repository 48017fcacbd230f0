package import BackendAPI

/// One dispatcher as the operator has set it up (`backend-http-api` 2.4).
package struct DispatcherSettings: Sendable, Hashable {
    /// How it delivers.
    package enum Channel: Sendable, Hashable {
        /// Push messages through Firebase Cloud Messaging.
        case firebaseCloudMessaging(FirebaseSettings)
        /// The URL of a link.
        case link(LinkAddress)
        /// The picture of a QR code that holds the payload.
        case pngQRCode
        /// The picture of a QR code that holds the URL of a link.
        case linkPNGQRCode(LinkAddress)
    }

    /// How it delivers.
    package var channel: Channel
    /// Where the phone redeems the token.
    package var redeemAddresses = RedeemAddresses()
    /// Whether it takes sealed payloads only; push messages are always sealed.
    package var requiresEncryption = false

    /// Settings with the defaults for all that is not named.
    package init(_ channel: Channel) {
        self.channel = channel
    }

    /// What dispatches call it.
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
