import BackendAPI
public import Foundation

/// Answer of a server to the version of an application.
public struct WantedApplicationVersion: Sendable, Hashable {
    /// Verdict on the version, and so the next step of the application.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// Nothing.
        case upToDate
        /// Offer the newer version.
        case updateAvailable
        /// Ask for an update: the version is older than ``WantedApplicationVersion/minimumVersion``.
        case updateRequired
        /// Ask for an update: this version is not to be used, for example because of a fault in it.
        case blocked
    }

    /// Verdict on the version, and so the next step of the application.
    public let status: Status
    /// Oldest version that may be used; nil where each may.
    public let minimumVersion: String?
    /// Newest version; nil where the server does not say.
    public let latestVersion: String?
    /// Address where the application is updated; always `https:`.
    public let storeUrl: URL?
    /// Text for the user, by language, such as `en`.
    public let messages: [String: String]

    init(_ statement: ApplicationVersionStatement) {
        status =
            switch statement.verdict {
            case .upToDate: .upToDate
            case .updateAvailable: .updateAvailable
            case .updateRequired: .updateRequired
            case .blocked: .blocked
            }
        minimumVersion = statement.minimum?.text
        latestVersion = statement.latest?.text
        storeUrl = statement.storeAddress.flatMap { URL(string: $0) }.flatMap { $0.scheme == "https" ? $0 : nil }
        messages = statement.messages
    }
}
