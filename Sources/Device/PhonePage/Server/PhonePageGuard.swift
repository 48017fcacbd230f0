import Crypto
import HTTPTypes
import Locking
import Octets

/// Guard of the phone page: decides from the head of a request whether it may reach the phone.
///
/// Loopback keeps other machines out; these rules keep out other sites in the same browser and other accounts of this
/// machine. A name that resolves to loopback (DNS rebinding) shows in `Host`; a request of another site shows in
/// `Origin`, `Sec-Fetch-Site` and the missing cookie; another account has neither cookie nor token.
struct PhonePageGuard: Sendable {
    static let cookieName = "signet-phone"
    /// Field with the token of the page.
    static let tokenField = "Signet-Page"

    let host: PhonePageHost
    let port: Int
    let secrets: PhonePageSecrets

    func admits(_ request: PhonePageRequest, to place: PhonePageURL) -> Bool {
        guard isAddressed(request), request.values("Upgrade").isEmpty, request.method == place.method else {
            return false
        }
        switch place {
        // A request with the secret may come from anywhere, such as from a file that opens the browser.
        case .entry(let secret): return isNavigation(request) && secrets.enter(with: secret)
        // A link that people open on a page beside; it shows nothing of the phone, and needs no right therefore.
        case .handOver: return isNavigation(request)
        case .document, .style, .script, .texts: return comesFromHere(request) && hasCookie(request)
        case .state, .action, .secret, .scan:
            return comesFromHere(request) && hasCookie(request) && hasToken(request)
        }
    }

    /// Whether `Host` occurs once, as it was printed.
    private func isAddressed(_ request: PhonePageRequest) -> Bool { request.only("Host") == authority }

    private var authority: String { "\(host.address):\(port)" }

    private func comesFromHere(_ request: PhonePageRequest) -> Bool {
        let origins = request.values("Origin")
        let sites = request.values("Sec-Fetch-Site")
        return origins.allSatisfy { $0 == "http://\(authority)" } && origins.count <= 1
            && sites.allSatisfy { ["same-origin", "none"].contains($0) } && sites.count <= 1
    }

    /// Whether the request opens a document in a tab, and no frame, script or picture.
    private func isNavigation(_ request: PhonePageRequest) -> Bool {
        request.values("Origin").isEmpty
            && request.values("Sec-Fetch-Mode").allSatisfy { $0 == "navigate" }
            && request.values("Sec-Fetch-Dest").allSatisfy { $0 == "document" }
    }

    private func hasCookie(_ request: PhonePageRequest) -> Bool {
        request.cookie(Self.cookieName).map(secrets.isHolder) ?? false
    }

    private func hasToken(_ request: PhonePageRequest) -> Bool {
        request.only(Self.tokenField).map { secrets.isPage(Array($0.utf8)) } ?? false
    }
}

/// Secrets of one phone page, 32 random octets each: in the address, taken once; in the cookie; and
/// the token of the page.
final class PhonePageSecrets: Sendable {
    /// Secret of the address.
    let entry = PhonePageSecrets.fresh()
    /// Value of the cookie.
    let holder = PhonePageSecrets.fresh()
    /// Token of the page.
    let page = PhonePageSecrets.fresh()
    private let isEntered = Lock(false)

    /// Whether this is the secret of the address, for the first time.
    func enter(with text: String) -> Bool {
        guard Self.same(Array(text.utf8), entry) else { return false }
        return isEntered.withLock { isEntered in
            defer { isEntered = true }
            return !isEntered
        }
    }

    func isHolder(_ value: [UInt8]) -> Bool { Self.same(value, holder) }

    func isPage(_ value: [UInt8]) -> Bool { Self.same(value, page) }

    private static func fresh() -> Sensitive<String> {
        Sensitive(SymmetricKey(size: .bits256).withUnsafeBytes { Base64URL.encode(Array($0)) })
    }

    private static func same(_ value: [UInt8], _ other: Sensitive<String>) -> Bool {
        (try? ConstantTimeEquality.require(value, equals: Array(other.reveal().utf8))) != nil
    }
}
