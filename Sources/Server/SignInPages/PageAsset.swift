import Crypto
import Octets
package import OpenID

/// File that the pages load, the same for all visitors.
package enum PageAsset: Sendable, Hashable, CaseIterable {
    case style
    /// Script of the sign-in page.
    case script
    /// Element `<signet-sign-in>` for pages of clients.
    case webScript

    /// Content, UTF-8 of at most 64 KiB.
    package var octets: [UInt8] {
        switch self {
        case .style: PackageResources.signet_css
        case .script: PackageResources.sign_in_js
        case .webScript: PackageResources.signet_web_js
        }
    }

    /// Content with the colours of a theme.
    package func octets(in theme: PageTheme) -> [UInt8] {
        self == .style ? octets + Array(theme.style.utf8) : octets
    }

    /// Strong entity tag of a content (RFC 9110, 8.8.3).
    package static func entityTag(of octets: [UInt8]) -> String {
        "\"\(Base64URL.encode(Array(SHA256.hash(data: octets).prefix(16))))\""
    }
}
