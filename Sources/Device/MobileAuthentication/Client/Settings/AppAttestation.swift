/// The settings of the attestation of the application by Google; they take effect on Android only.
///
/// On Apple platforms ``MobileAuthenticationClientInitializer/appAttestation(_:)`` names the provider of statements.
public struct AppAttestation: Codable, Hashable, Sendable {
    /// The number of the Google Cloud project.
    public let cloudProjectNumber: Int64

    /// Names the Google Cloud project.
    public init(cloudProjectNumber: Int64) { self.cloudProjectNumber = cloudProjectNumber }
}
