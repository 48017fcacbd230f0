import Authenticators
package import HardwareKeys

/// Storage that an application requires for the keys of its authenticators.
public enum KeyVaultChoice: String, Hashable, Sendable {
    /// In the secure hardware of the platform: the Secure Enclave on Apple platforms, the TPM on Linux.
    ///
    /// Without it the initializer ends with ``InitializationError/HardwareError(cause:)``, whose `recoverySuggestion`
    /// names the ways out.
    case platform
    /// In the secure hardware of the platform where there is some, otherwise in software as with ``software``.
    ///
    /// It is decided once: a folder keeps the kind of keys that it began with. Software keys are reported by a warning
    /// in the log and by ``MetaData/keyVaultWarning``.
    case preferHardware
    /// In software, encrypted on disk with a key beside them: anybody who copies the folder can try PINs.
    case software
}

/// Opens the vault that an application has chosen, and nothing in its place.
struct KeyVaultOpening: Sendable {
    /// Source of the keys.
    enum Origin: Sendable {
        case choice(KeyVaultChoice)
        case source(any KeyVaultSource)
    }

    /// Reason why the keys of a client are in software.
    enum SoftwareReason: Sendable {
        case chosen
        case noHardware
        case kept

        /// Warning for the developers of the application, in English.
        var warning: String {
            switch self {
            case .chosen: "Keys are kept in software: whoever copies the folder can copy them."
            case .noHardware:
                "Keys are kept in software, because there is no secure hardware that this program may use: "
                    + "whoever copies the folder can copy them."
            case .kept:
                "Keys are kept in software, because this folder began with software keys: "
                    + "whoever copies the folder can copy them."
            }
        }
    }

    let origin: Origin
    /// The hardware of the platform.
    var hardware: any KeyVaultSource = PlatformHardware.keys

    /// The vault for a folder, and why it is one of software.
    func open(in directory: String) async throws(KeyVaultError) -> (any KeyVault, SoftwareReason?) {
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
            return (try await Self.softwareVault(in: directory), .noHardware)
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
    /// Whether this machine has no hardware for this program, now and later; a chip that is busy is there.
    fileprivate var meansNoHardware: Bool {
        switch self {
        case .hardwareUnavailable, .hardwareFull, .ownerAuthorizationRequired: true
        default: false
        }
    }

    /// Whether the hardware is why there are no keys.
    var isAboutHardware: Bool {
        switch self {
        case .hardwareUnavailable, .hardwareBusy, .hardwareFull, .hardwareFailed, .ownerAuthorizationRequired,
            .unrecoverable:
            true
        default: false
        }
    }
}
