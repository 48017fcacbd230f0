/// Errors of a key vault.
@nonexhaustive
public enum KeyVaultError: Error, Hashable, Sendable {
    /// There is no vault at this place: make one first.
    case notInitialized
    /// There is a vault at this place already: open it, or choose another place.
    case alreadyInitialized
    /// The vault holds no key of this name: the credential that needs it has to be registered again.
    case unknownKey
    /// The vault holds a key of this name already: take another name.
    case duplicateKey
    /// This vault has no keys of the kind asked for: choose another vault.
    case unsupportedRequirements
    /// The key is not used in this way: a signing key agrees on nothing, and an open key takes no secret.
    case wrongUse
    /// The secret was wrong; where the vault counts, this one is counted. Ask again.
    case wrongSecret
    /// Too many secrets were wrong: the key can never be used again; register anew.
    case lockedOut
    /// The user did not pass the gate of the key.
    case userPresence(UserPresenceError)
    /// The point that another party sent is not on the curve: refuse that party.
    case invalidPublicKey
    /// Another account may read the file or directory: take the rights away from group and others, or make a new vault.
    case exposed
    /// Something stored is not what this vault wrote: it was changed, cut or belongs to another vault.
    case damaged
    /// The hardware that made the key was cleared or replaced, or has lost it: the key cannot be recovered; register
    /// anew.
    case unrecoverable
    /// There is no hardware, or it does not answer: check that it is there and that this account may use it, then try
    /// again. Nothing was lost.
    case hardwareUnavailable
    /// The hardware has no time now: try again later. Nothing was lost.
    case hardwareBusy
    /// Objects and sessions of other programs, or of ended ones, fill the working memory of the hardware: reach it by its
    /// resource manager, or flush them. Nothing was lost.
    case hardwareOccupied
    /// The device is locked and keeps its keys sealed: try again when the user has unlocked it. Nothing was lost.
    case deviceLocked
    /// The hardware has no room for another key or counter: delete one.
    case hardwareFull
    /// The hardware asks for its owner's authorisation, or for another one than the configured: configure it.
    case ownerAuthorizationRequired
    /// The hardware answered what no such hardware answers; the number is its code
    /// (TPM 2.0, part 2, 6.6; on Apple platforms the token error).
    case hardwareFailed(code: UInt32)
    /// A newer version of this library wrote the file: update the application.
    case newerFormat(version: UInt8)
    /// Another process keeps the vault locked: try again.
    case busy
    /// The operating system refused; the number is its `errno`, or its `OSStatus` for a keychain.
    case storageFailed(code: Int32)
}

extension KeyVaultError: CustomStringConvertible {
    /// Name of the case, with its reason or number in parentheses.
    public var description: String {
        switch self {
        case .notInitialized: "notInitialized"
        case .alreadyInitialized: "alreadyInitialized"
        case .unknownKey: "unknownKey"
        case .duplicateKey: "duplicateKey"
        case .unsupportedRequirements: "unsupportedRequirements"
        case .wrongUse: "wrongUse"
        case .wrongSecret: "wrongSecret"
        case .lockedOut: "lockedOut"
        case .userPresence(let error): "userPresence(\(error.description))"
        case .invalidPublicKey: "invalidPublicKey"
        case .exposed: "exposed"
        case .damaged: "damaged"
        case .unrecoverable: "unrecoverable"
        case .hardwareUnavailable: "hardwareUnavailable"
        case .hardwareBusy: "hardwareBusy"
        case .hardwareOccupied: "hardwareOccupied"
        case .deviceLocked: "deviceLocked"
        case .hardwareFull: "hardwareFull"
        case .ownerAuthorizationRequired: "ownerAuthorizationRequired"
        case .hardwareFailed(let code): "hardwareFailed(code: \(code))"
        case .newerFormat(let version): "newerFormat(version: \(version))"
        case .busy: "busy"
        case .storageFailed(let code): "storageFailed(code: \(code))"
        }
    }
}

extension KeyVaultError {
    package init(_ error: FileSystemError) {
        switch error {
        case .absent: self = .notInitialized
        case .present: self = .alreadyInitialized
        case .exposed: self = .exposed
        case .tooLarge: self = .damaged
        case .busy: self = .busy
        case .failed(let code): self = .storageFailed(code: code)
        }
    }
}
