import Foundation
package import UAFClient

/// Link in a payload, as the transport reads it.
package struct RedeemURL: RedeemLink {
    /// The address to which the token is sent.
    package let url: URL

    package init?(_ text: String) {
        guard let url = URL(string: text) else { return nil }
        self.url = url
    }

    package var address: ServerAddress { ServerAddress(url) }

    package var lastPathComponent: String { url.lastPathComponent }

    package var hasFragment: Bool { url.fragment() != nil }
}
