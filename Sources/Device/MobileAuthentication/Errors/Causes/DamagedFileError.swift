import Authenticators
public import Foundation
import HardwareKeys

/// A file in which the SDK keeps registrations or keys was changed by something else: a failing disk, or a person.
///
/// It comes as the cause of the error of the operation that needed the file. What the servers have is as it was.
public struct DamagedFileError: LocalizedError, Hashable, Sendable {
    /// Part of the stored data that cannot be read.
    @nonexhaustive
    public enum Part: Hashable, Sendable {
        /// The file of all registrations: put an undamaged copy back, or delete the data of the application and
        /// register again.
        case registrations
        /// One key: take its registration off server and device and register again. Others are not damaged.
        case key
    }

    /// Part that cannot be read.
    public let part: Part

    /// Names what cannot be read.
    public init(_ part: Part) { self.part = part }

    /// The damage that an error of store or vault tells of; nil for every other error.
    package init?(behind error: (any Error)?) {
        guard let error else { return nil }
        switch error {
        case let damage as DamagedFileError: self = damage
        case CredentialStoreError.damaged, AuthenticatorError.store(.damaged): part = .registrations
        case KeyVaultError.damaged, AuthenticatorError.vault(.damaged): part = .key
        case let failure as FidoFailure:
            guard let damage = DamagedFileError(behind: failure.cause) else { return nil }
            self = damage
        default: return nil
        }
    }

    /// Localized description of what is damaged and what is not.
    public var errorDescription: String? {
        switch part {
        case .registrations: SDKText.damagedRegistrations.localized
        case .key: SDKText.damagedKey.localized
        }
    }

    /// Localized recovery suggestion.
    public var recoverySuggestion: String? { recovery.localized }

    var recovery: SDKText {
        switch part {
        case .registrations: .setUpAgain
        case .key: .registerAgain
        }
    }
}
