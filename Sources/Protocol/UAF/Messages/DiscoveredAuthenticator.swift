/// How a client describes an authenticator to an application (`Authenticator`).
///
/// FIDO UAF Application API and Transport Binding 1.1, 2.4.3. It holds nothing about the user.
public struct DiscoveredAuthenticator: Hashable, Sendable {
    /// The texts and the picture a user is shown; none may be empty.
    public struct Appearance: Hashable, Sendable {
        /// Short name.
        public let title: String
        /// One sentence.
        public let description: String
        /// `data:` URL of a PNG picture.
        public let icon: String

        /// Puts an appearance together.
        public init(title: String, description: String, icon: String) {
            self.title = title
            self.description = description
            self.icon = icon
        }
    }

    /// Model of the authenticator.
    public let aaid: AAID
    /// What the user is shown.
    public let appearance: Appearance
    /// Protocol versions it can be used with.
    public let supportedVersions: [ProtocolVersion]
    /// What a policy judges it by.
    public let characteristics: AuthenticatorCharacteristics
    /// What its display shows; nil when it has none.
    public var displayContentType: ContentType?
    /// How pictures for its display must be coded.
    public var displayCharacteristics: [DisplayPNGCharacteristics] = []
    /// Extensions it understands.
    public var supportedExtensions: [ExtensionID] = []

    /// Describes an authenticator without a display.
    public init(
        aaid: AAID, appearance: Appearance, supportedVersions: [ProtocolVersion] = [.version11],
        characteristics: AuthenticatorCharacteristics
    ) {
        self.aaid = aaid
        self.appearance = appearance
        self.supportedVersions = supportedVersions
        self.characteristics = characteristics
    }
}
