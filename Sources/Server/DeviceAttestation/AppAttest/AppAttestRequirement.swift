import Crypto

/// Applications and environments whose statements a server takes.
package struct AppAttestRequirement: Hashable, Sendable {
    /// Environment that App Attest runs in; keys of one mean nothing in the other.
    package enum Environment: String, Hashable, Sendable, CaseIterable {
        case development, production

        /// The identifier (AAGUID) in statements about new keys.
        var aaguid: [UInt8] {
            switch self {
            case .development: Array("appattestdevelop".utf8)
            case .production: Array("appattest".utf8) + [UInt8](repeating: 0, count: 7)
            }
        }
    }

    /// Identifiers of the applications: team, a full stop, bundle.
    package var applications: Set<String>
    package var environments: Set<Environment>

    package init(applications: Set<String>, environments: Set<Environment> = [.production]) {
        self.applications = applications
        self.environments = environments
    }

    func application(withDigest digest: [UInt8]) -> String? {
        applications.first { SHA256.hash(data: Array($0.utf8)).elementsEqual(digest) }
    }
}
