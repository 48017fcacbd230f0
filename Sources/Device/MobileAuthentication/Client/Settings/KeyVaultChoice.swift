import Authenticators
package import HardwareKeys

/// Storage that an application requires for the keys of its authenticators.
///
/// ```swift
/// let client = try await MobileAuthenticationClientInitializer()
///     .configuration(configuration)
///     .keyVault(.preferHardware)
///     .perform()
/// if let warning = client.deviceCapabilities.keyVaultWarning { show(warning) }
/// ```
public enum KeyVaultChoice: String, Hashable, Sendable {
    /// In the secure hardware of the platform: the Secure Enclave on Apple platforms, the TPM on Linux.
    ///
    /// Without it the initializer ends with ``InitializationError/HardwareError(cause:)``, whose `recoverySuggestion`
    /// names the ways out.
    case platform
    /// In the secure hardware of the platform where there is some, otherwise in software as with ``software``.
    ///
    /// It is decided once: a folder keeps the kind of keys that it began with. Software keys are reported by a warning
    /// in the log and by ``DeviceCapabilities/keyVaultWarning``.
    case preferHardware
    /// In software, encrypted on disk with a key beside them: an attacker who copies the folder can try PINs.
    case software
}

/// Opens the vault that an application has chosen, and nothing in its place.
package struct KeyVaultOpening: Sendable {
    /// An opened vault, and the warning that its keys can be copied; nil for hardware.
    package typealias Opened = (vault: any KeyVault, warning: String?)

    /// Source of the keys.
    package enum Origin: Sendable {
        case choice(KeyVaultChoice)
        case source(any KeyVaultSource)
    }

    /// Reason why the keys of a client are in software.
    private enum SoftwareReason: Sendable {
        case chosen
        case unusable(KeyVaultError)
        case kept

        /// Warning for the developers of the application, in English.
        var warning: String {
            switch self {
            case .chosen: "Keys are kept in software: a copy of the folder is a copy of the keys."
            case .unusable(let obstacle):
                "Keys are kept in software, because \(Self.words(for: obstacle)): a copy of the folder is a copy of the keys."
            case .kept:
                "Keys are kept in software, because this folder began with software keys: "
                    + "a copy of the folder is a copy of the keys."
            }
        }

        private static func words(for obstacle: KeyVaultError) -> String {
            switch obstacle {
            case .ownerAuthorizationRequired:
                "the owner of the secure hardware has set an authorization that this program does not know"
            case .hardwareFull: "the secure hardware has no room left"
            default: "there is no secure hardware that this program may use"
            }
        }
    }

    let origin: Origin
    let hardware: any KeyVaultSource

    package init(origin: Origin, hardware: any KeyVaultSource = PlatformHardware.keys) {
        self.origin = origin
        self.hardware = hardware
    }

    /// The vault for a folder, and what weakens it; the log says which it is.
    ///
    /// Throws the errors of the hardware and of the folder.
    package func open(
        in directory: String, telling logger: (any SDKLogger)?
    ) async throws(KeyVaultError) -> Opened {
        let (vault, reason) = try await choose(in: directory)
        let kind = SDKLogField.open("keyVault", DeviceCapabilities.KeyProtection(vault.provider).rawValue)
        if let reason {
            logger?.log(.warning, .client, reason.warning, [kind])
        } else {
            logger?.log(.notice, .client, "Keys are kept in secure hardware.", [kind])
        }
        return (vault, reason?.warning)
    }

    private func choose(in directory: String) async throws(KeyVaultError) -> (any KeyVault, SoftwareReason?) {
        switch origin {
        case .choice(.platform): (try await hardware.vault(inDirectory: directory), nil)
        case .choice(.preferHardware): try await preferringHardware(in: directory)
        case .choice(.software): (try await Self.softwareVault(in: directory), .chosen)
        case .source(let source): (try await source.vault(inDirectory: directory), nil)
        }
    }

    /// Opens the kind of vault that the folder began with, because keys cannot be moved; a new folder prefers the
    /// hardware.
    private func preferringHardware(in directory: String) async throws(KeyVaultError) -> (any KeyVault, SoftwareReason?)
    {
        if let kept = try await Self.existingSoftwareVault(in: directory) { return (kept, .kept) }
        do throws(KeyVaultError) {
            return (try await hardware.vault(inDirectory: directory), nil)
        } catch {
            guard error.meansNoHardware, !SecureStorageCredentialStore.exists(inDirectory: directory) else {
                throw error
            }
            return (try await Self.softwareVault(in: directory), .unusable(error))
        }
    }

    private static func softwareVault(in directory: String) async throws(KeyVaultError) -> SoftwareKeyVault {
        if let existing = try await existingSoftwareVault(in: directory) { return existing }
        return try await SoftwareKeyVault.create(inDirectory: directory)
    }

    private static func existingSoftwareVault(in directory: String) async throws(KeyVaultError) -> SoftwareKeyVault? {
        do throws(KeyVaultError) {
            return try await SoftwareKeyVault.open(inDirectory: directory)
        } catch .notInitialized {
            return nil
        }
    }
}

extension KeyVaultError {
    /// Whether this machine has no hardware for this program, permanently; a chip that is busy counts as present.
    package var meansNoHardware: Bool {
        switch self {
        case .hardwareUnavailable, .hardwareFull, .ownerAuthorizationRequired: true
        case .notInitialized, .alreadyInitialized, .unknownKey, .duplicateKey, .unsupportedRequirements, .wrongUse,
            .wrongSecret, .lockedOut, .userPresence, .invalidPublicKey, .exposed, .damaged, .unrecoverable,
            .hardwareBusy, .hardwareOccupied, .deviceLocked, .hardwareFailed, .newerFormat, .busy, .storageFailed:
            false
        }
    }

    var isAboutHardware: Bool {
        switch self {
        case .hardwareUnavailable, .hardwareBusy, .hardwareOccupied, .hardwareFull, .hardwareFailed,
            .ownerAuthorizationRequired, .unrecoverable:
            true
        case .notInitialized, .alreadyInitialized, .unknownKey, .duplicateKey, .unsupportedRequirements, .wrongUse,
            .wrongSecret, .lockedOut, .userPresence, .invalidPublicKey, .exposed, .damaged, .deviceLocked, .newerFormat,
            .busy, .storageFailed:
            false
        }
    }
}
