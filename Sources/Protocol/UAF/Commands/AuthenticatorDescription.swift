/// What an authenticator says about itself (`TAG_AUTHENTICATOR_INFO`).
///
/// FIDO UAF Authenticator Commands 1.1, 6.2.1.
package struct AuthenticatorDescription: Hashable, Sendable {
    /// Properties that are on or off.
    package struct Traits: OptionSet, Hashable, Sendable {
        /// The flags as the protocol writes them.
        package let rawValue: UInt16
        /// Takes flags as they are.
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Can only be used beside another factor.
        package static let secondFactorOnly = Traits(rawValue: 0x0001)
        /// Not part of the device.
        package static let roaming = Traits(rawValue: 0x0002)
        /// Keeps keys inside.
        package static let keepsKeyHandles = Traits(rawValue: 0x0004)
        /// Shows its own enrolment and verification.
        package static let hasOwnInterface = Traits(rawValue: 0x0008)
        /// Shows its own settings.
        package static let hasSettings = Traits(rawValue: 0x0010)
        /// Wants the AppID wherever it is optional.
        package static let expectsAppID = Traits(rawValue: 0x0020)
        /// A user is enrolled.
        package static let userEnrolled = Traits(rawValue: 0x0040)
        /// Supports user verification tokens.
        package static let supportsUserVerifyToken = Traits(rawValue: 0x0080)
        /// Takes only the hash of a transaction.
        package static let acceptsTransactionHashOnly = Traits(rawValue: 0x0100)
    }

    /// Number by which commands address it.
    package var index: UInt8
    /// Its model.
    package var aaid: AAID
    /// Properties that are on or off.
    package var traits: Traits
    /// Most key handles that a Sign command may carry.
    package var maxKeyHandles: UInt8
    /// What a policy judges it by.
    package var characteristics: AuthenticatorCharacteristics
    /// What its display shows.
    package var displayContentType: ContentType?
    /// How pictures must be coded.
    package var displayCharacteristics: [DisplayPNGCharacteristics] = []
    /// Extensions it understands.
    package var supportedExtensions: [ExtensionID] = []

    /// Describes an authenticator without a display.
    package init(
        index: UInt8, aaid: AAID, traits: Traits, maxKeyHandles: UInt8, characteristics: AuthenticatorCharacteristics
    ) {
        self.index = index
        self.aaid = aaid
        self.traits = traits
        self.maxKeyHandles = maxKeyHandles
        self.characteristics = characteristics
    }
}
