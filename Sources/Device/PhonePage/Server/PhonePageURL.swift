import HTTPTypes

/// Place of the phone page, by its path.
enum PhonePageURL: Hashable, Sendable {
    /// Exchange of the secret in the address for cookie and token.
    case entry(String)
    /// Document that takes a link from its own address: from the fragment, or as the dispatcher `link` makes it.
    case handOver
    case document, style, script, texts
    case state, action, secret, scan

    /// Path of the entry, before the secret.
    static let entryPrefix = "/begin/"

    init?(path: String) {
        switch path {
        case "/": self = .document
        case "/open": self = .handOver
        case "/page.css": self = .style
        case "/page.js": self = .script
        case "/texts.js": self = .texts
        case "/state": self = .state
        case "/action": self = .action
        case "/secret": self = .secret
        case "/scan": self = .scan
        case _ where path.hasPrefix("/open?dispatchTokenResponse="): self = .handOver
        default:
            guard path.hasPrefix(Self.entryPrefix) else { return nil }
            self = .entry(String(path.dropFirst(Self.entryPrefix.count)))
        }
    }

    var method: HTTPRequest.Method {
        switch self {
        case .entry, .handOver, .document, .style, .script, .texts, .state: .get
        case .action, .secret, .scan: .post
        }
    }

    /// Media type of the body that is posted; nil for places that take none.
    var bodyType: String? {
        switch self {
        case .action: "application/json"
        case .secret: "application/octet-stream"
        case .scan: "image/png"
        case .entry, .handOver, .document, .style, .script, .texts, .state: nil
        }
    }
}

extension PhonePageURL: CustomStringConvertible, CustomReflectable {
    /// Name without the secret of the entry.
    var description: String {
        if case .entry = self { return "entry" }
        return method.rawValue
    }

    /// Empty, so that reflection shows no secret.
    var customMirror: Mirror { Mirror(self, children: []) }
}
