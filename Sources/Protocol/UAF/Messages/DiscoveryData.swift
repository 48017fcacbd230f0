/// What a client tells an application about itself and its authenticators.
///
/// FIDO UAF Application API and Transport Binding 1.1, 2.4.2.
public struct DiscoveryData: Hashable, Sendable {
    /// Protocol versions, preferred first.
    public let supportedVersions: [ProtocolVersion]
    /// Who made the client.
    public let clientVendor: String
    /// Version of the client.
    public let clientVersion: ProtocolVersion
    /// Authenticators that can be used now; may be empty.
    public let availableAuthenticators: [DiscoveredAuthenticator]

    /// Puts the answer together.
    public init(
        supportedVersions: [ProtocolVersion] = [.version11], clientVendor: String, clientVersion: ProtocolVersion,
        availableAuthenticators: [DiscoveredAuthenticator]
    ) {
        self.supportedVersions = supportedVersions
        self.clientVendor = clientVendor
        self.clientVersion = clientVersion
        self.availableAuthenticators = availableAuthenticators
    }
}
