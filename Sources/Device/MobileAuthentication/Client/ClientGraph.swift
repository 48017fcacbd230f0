import Authenticators
import BackendTransport
import Foundation
import HardwareKeys
import UAF

/// What an application can choose about the parts of a client, and how the real parts are put together.
struct ClientGraph: Sendable {
    var keyVault = KeyVaultChoice.platform
    var directory: URL?
    var userPresence: (any UserPresence)?
    var logger: (any SDKLogger)?

    /// Opens the keys of this application and prepares the way to servers.
    func ports(for configuration: Configuration) async throws(InitializationError) -> ClientPorts {
        guard let facetID = FacetID(MetaData.applicationFacetId) else {
            throw .Unknown(cause: InvalidParameterError("applicationFacetId"))
        }
        let directory = try folder().path(percentEncoded: false)
        let vault = try openVault(in: directory)
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
            store: LocalAuthenticators(parts, profile: .iOS, facetID: facetID),
            transport: try PlatformTransport.make(for: configuration))
        ports.logger = logger
        warnAboutSoftwareKeys()
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

    /// The vault that was chosen; there is no hardware vault on this platform yet, so only software can be had.
    private func openVault(in directory: String) throws(InitializationError) -> SoftwareKeyVault {
        guard keyVault == .software else { throw .HardwareError(cause: nil) }
        do throws(KeyVaultError) {
            return try SoftwareKeyVault.open(inDirectory: directory)
        } catch .notInitialized {
            do throws(KeyVaultError) {
                return try SoftwareKeyVault.create(inDirectory: directory)
            } catch {
                throw .Unknown(cause: error)
            }
        } catch {
            throw .Unknown(cause: error)
        }
    }

    private func warnAboutSoftwareKeys() {
        logger?.log(
            .warning, .client, "Keys are kept in software: whoever copies the folder can copy them.",
            [.open("keyVault", keyVault.rawValue)])
    }
}
