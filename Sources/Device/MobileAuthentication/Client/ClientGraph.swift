import Authenticators
import BackendTransport
import Foundation
import HardwareKeys
import UAF

/// What an application can choose about the parts of a client, and how the real parts are put together.
struct ClientGraph: Sendable {
    /// Where the keys come from.
    enum KeyOrigin: Sendable {
        case choice(KeyVaultChoice)
        case source(any KeyVaultSource)
    }

    var keyOrigin = KeyOrigin.choice(.platform)
    var profile = ClientProfile.iOS
    var directory: URL?
    var userPresence: (any UserPresence)?
    var logger: (any SDKLogger)?

    /// Opens the keys of this application and prepares the way to servers.
    func ports(for configuration: Configuration) async throws(InitializationError) -> ClientPorts {
        let directory = try folder().path(percentEncoded: false)
        let vault = try await openVault(in: directory)
        let (models, facetID) = try profile.resolved(for: vault.provider)
        let store: any CredentialStore
        do throws(CredentialStoreError) {
            store = try await SecureStorageCredentialStore.open(inDirectory: directory, sealedBy: vault)
        } catch {
            throw .Unknown(cause: error)
        }
        let parts = authenticatorPorts(store, vault)
        do throws(AuthenticatorError) {
            try await KeyJournal(parts).recover()
        } catch {
            throw .Unknown(cause: error)
        }
        var ports = ClientPorts(
            facetID: facetID,
            store: LocalAuthenticators(parts, profile: models, facetID: facetID),
            transport: try PlatformTransport.make(for: configuration))
        ports.profile = models
        ports.keyProtection = DeviceCapabilities.KeyProtection(vault.provider)
        ports.logger = logger
        if !vault.provider.isSecureHardware { warnAboutSoftwareKeys() }
        return ports
    }

    private func authenticatorPorts(_ store: any CredentialStore, _ vault: any KeyVault) -> AuthenticatorPorts {
        var parts = AuthenticatorPorts(store: store, vault: vault)
        parts.presence = userPresence
        if let machine = userPresence as? any PlatformPresence {
            parts.platform = machine.platform
            parts.deviceLock = machine.deviceLock
        }
        return parts
    }

    /// The folder for keys and records.
    private func folder() throws(InitializationError) -> URL {
        if let directory { return directory }
        do {
            return try FileManager.default.url(
                for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true
            ).appending(path: "MobileAuthentication/\(MetaData.bundleIdentifier)")
        } catch {
            throw .Unknown(cause: error)
        }
    }

    /// The vault that was chosen; nothing else is ever taken instead.
    private func openVault(in directory: String) async throws(InitializationError) -> any KeyVault {
        do throws(KeyVaultError) {
            switch keyOrigin {
            // Hardware comes from a module of its own, which the application hands in as a source.
            case .choice(.platform): throw .hardwareUnavailable
            case .choice(.software): return try Self.softwareVault(in: directory)
            case .source(let source): return try await source.vault(inDirectory: directory)
            }
        } catch {
            throw InitializationError(error)
        }
    }

    private static func softwareVault(in directory: String) throws(KeyVaultError) -> SoftwareKeyVault {
        do throws(KeyVaultError) {
            return try SoftwareKeyVault.open(inDirectory: directory)
        } catch .notInitialized {
            return try SoftwareKeyVault.create(inDirectory: directory)
        }
    }

    private func warnAboutSoftwareKeys() {
        logger?.log(
            .warning, .client, "Keys are kept in software: whoever copies the folder can copy them.",
            [.open("keyVault", KeyVaultChoice.software.rawValue)])
    }
}

extension InitializationError {
    /// What it means for an application that its keys cannot be had.
    fileprivate init(_ error: KeyVaultError) {
        self =
            switch error {
            case .hardwareUnavailable, .hardwareBusy, .hardwareFull, .hardwareFailed, .ownerAuthorizationRequired,
                .unrecoverable:
                .HardwareError(cause: error)
            default: .Unknown(cause: error)
            }
    }
}
