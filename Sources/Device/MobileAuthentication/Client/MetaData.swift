import Foundation
import UAF

/// Metadata of the SDK and its application; usable before there is a client.
public enum MetaData {
    /// The version of the SDK.
    public static let mobileAuthenticationVersion = Version(major: 0, minor: 1, patch: 0, build: "1")

    /// The facet of this application by the rules of FIDO AppID and Facets 1.1: `ios:bundle-id:<bundle id>`, and for a
    /// client of the Linux profile, once it was made, `linux:app-id:<application id>`.
    public static var applicationFacetId: String { RunningProfile.facetID?.text ?? "ios:bundle-id:" + bundleIdentifier }

    /// Reason why the keys of the client that was made last can be copied, for the developers of the application; nil
    /// when they are in secure hardware, and before there is a client.
    ///
    /// With ``KeyVaultChoice/preferHardware`` it identifies a device without such hardware.
    public static var keyVaultWarning: String? { RunningProfile.keyVaultWarning }

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
