import Foundation

/// Metadata of the SDK and its application; usable before there is a client.
public enum MetaData {
    /// The version of the SDK.
    public static let mobileAuthenticationVersion = Version(major: 0, minor: 1, patch: 0, build: "1")

    /// The facet of this application in the profile ``ClientProfile/iOS`` by the rules of FIDO AppID and Facets 1.1:
    /// `ios:bundle-id:<bundle id>`; a client of another profile has ``MobileAuthenticationClient/applicationFacetId``.
    public static var applicationFacetId: String { "ios:bundle-id:" + bundleIdentifier }

    /// The bundle identifier, or the name of the process where there are no bundles.
    static var bundleIdentifier: String {
        Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    }

    /// A version of the SDK.
    public struct Version: Hashable, Sendable, CustomStringConvertible {
        /// Major version: incremented when an application has to be changed.
        public let major: Int
        /// Minor version: incremented for additions.
        public let minor: Int
        /// Patch version: incremented for corrections.
        public let patch: Int
        /// Names the build of one version.
        public let build: String

        /// The three numbers with dots between them.
        public var description: String { "\(major).\(minor).\(patch)" }

        /// The three numbers and the build, for example `1.2.3 (4)`.
        public var descriptionWithBuild: String { "\(description) (\(build))" }
    }
}
