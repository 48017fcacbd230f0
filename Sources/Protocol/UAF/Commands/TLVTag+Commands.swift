extension TLVTag {
    /// Command: what authenticators are there.
    package static let getInfoCommand = TLVTag(rawValue: 0x3401)
    /// Answer to ``getInfoCommand``.
    package static let getInfoResponse = TLVTag(rawValue: 0x3601)
    /// Command: make a key.
    package static let registerCommand = TLVTag(rawValue: 0x3402)
    /// Answer to ``registerCommand``.
    package static let registerResponse = TLVTag(rawValue: 0x3602)
    /// Command: sign.
    package static let signCommand = TLVTag(rawValue: 0x3403)
    /// Answer to ``signCommand``.
    package static let signResponse = TLVTag(rawValue: 0x3603)
    /// Command: forget keys.
    package static let deregisterCommand = TLVTag(rawValue: 0x3404)
    /// Answer to ``deregisterCommand``.
    package static let deregisterResponse = TLVTag(rawValue: 0x3604)
    /// Command: show settings.
    package static let openSettingsCommand = TLVTag(rawValue: 0x3406)
    /// Answer to ``openSettingsCommand``.
    package static let openSettingsResponse = TLVTag(rawValue: 0x3606)
    /// A wrapped key.
    package static let keyHandle = TLVTag(rawValue: 0x2801)
    /// A user name with a wrapped key.
    package static let usernameAndKeyHandle = TLVTag(rawValue: 0x3802)
    /// Proof of an earlier user verification.
    package static let userVerifyToken = TLVTag(rawValue: 0x2803)
    /// An AppID.
    package static let appID = TLVTag(rawValue: 0x2804)
    /// What opens a wrapped key.
    package static let keyHandleAccessToken = TLVTag(rawValue: 0x2805)
    /// A user name.
    package static let username = TLVTag(rawValue: 0x2806)
    /// An attestation type.
    package static let attestationType = TLVTag(rawValue: 0x2807)
    /// A status.
    package static let statusCode = TLVTag(rawValue: 0x2808)
    /// Fixed-size facts about an authenticator.
    package static let authenticatorMetadata = TLVTag(rawValue: 0x2809)
    /// An assertion scheme.
    package static let assertionScheme = TLVTag(rawValue: 0x280A)
    /// How pictures must be coded.
    package static let displayPNGCharacteristics = TLVTag(rawValue: 0x280B)
    /// What a display shows.
    package static let displayContentType = TLVTag(rawValue: 0x280C)
    /// Which authenticator.
    package static let authenticatorIndex = TLVTag(rawValue: 0x280D)
    /// Version of the command interface.
    package static let apiVersion = TLVTag(rawValue: 0x280E)
    /// An assertion.
    package static let authenticatorAssertion = TLVTag(rawValue: 0x280F)
    /// Decoded content of a transaction.
    package static let transactionContent = TLVTag(rawValue: 0x2810)
    /// Description of an authenticator.
    package static let authenticatorInfo = TLVTag(rawValue: 0x3811)
    /// An extension id.
    package static let supportedExtensionID = TLVTag(rawValue: 0x2812)
    /// Proof of an earlier transaction confirmation.
    package static let transactionConfirmationToken = TLVTag(rawValue: 0x2813)
}
