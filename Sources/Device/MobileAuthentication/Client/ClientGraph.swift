package import Authenticators
package import BackendTransport
import Foundation
package import HardwareKeys
import TamperGuards
package import UAF
import UAFClient

/// Dependencies of a client; the initializer makes the real ones, tests and the virtual device pass their own.
package struct ClientPorts: Sendable {
    package var facetID: FacetID
    package var store: any AuthenticatorStore & AuthenticatorKeys
    package var transport: any HTTPTransport
    package var profile = DeviceProfile.iOS
    package var keyProtection: DeviceCapabilities.KeyProtection = .software
    /// Warning for developers about the protection of the keys; nil when nothing weakens it.
    package var keyVaultWarning: String?
    package var clock: any MonotonicClock = SystemMonotonicClock()
    package var civilClock: any CivilClock = SystemCivilClock()
    package var logger: (any SDKLogger)?
    package var protection = DeviceProtection.none
    /// Provider of statements about the application; nil makes none.
    package var attestation: (any AppAttestationProvider)?

    package init(
        facetID: FacetID, store: any AuthenticatorStore & AuthenticatorKeys, transport: any HTTPTransport
    ) {
        self.facetID = facetID
        self.store = store
        self.transport = transport
    }
}

/// Composition root of a client: the parts that an application can choose, and the assembly of the real ones.
struct ClientGraph: Sendable {
    var keys = KeyVaultOpening(origin: .choice(.platform))
    var profile = ClientProfile.iOS
    var directory: URL?
    var userPresence: (any UserPresence)?
    var logger: (any SDKLogger)?
    var protection = DeviceProtection.guards()
    var flavor = MetaData.flavor
    var attestation: (any AppAttestationProvider)?

    /// Makes the HTTP transport and opens the keys of this application.
    func ports(for configuration: Configuration) async throws(InitializationError) -> ClientPorts {
        protection.begin(tellingOf: flavor, to: flavor.logger(logger))
        switch await protection.objection() {
        case nil: break
        case let tampering as TamperingError where tampering.kinds.contains(.root):
            throw .RootedError(cause: tampering)
        case let objection: throw .DeviceProtectionError(cause: objection)
        }
        let transport = try PlatformTransport.make(for: configuration)
        let directory = try folder().path(percentEncoded: false)
        let (vault, warning) = try await openVault(in: directory)
        let (models, facetID) = try profile.resolved(for: vault.provider)
        let store: any CredentialStore
        do throws(CredentialStoreError) {
            store = try await SecureStorageCredentialStore.open(inDirectory: directory, sealedBy: vault)
        } catch {
            throw .Unknown(cause: error.publicForm)
        }
        let parts = authenticatorPorts(store, vault)
        do throws(AuthenticatorError) {
            try await KeyJournal(parts).recover()
        } catch {
            throw .Unknown(cause: error.publicForm)
        }
        let authenticators = LocalAuthenticators(
            parts, profile: models, facetID: facetID,
            installationID: await PlatformHardware.installationID(vault, in: directory))
        var ports = ClientPorts(facetID: facetID, store: authenticators, transport: transport)
        ports.profile = models
        ports.keyProtection = DeviceCapabilities.KeyProtection(vault.provider)
        ports.keyVaultWarning = warning
        ports.logger = flavor.logger(logger)
        ports.protection = protection
        ports.attestation = attestation
        return ports
    }

    private func authenticatorPorts(_ store: any CredentialStore, _ vault: any KeyVault) -> AuthenticatorPorts {
        var parts = AuthenticatorPorts(store: store, vault: vault)
        let userPresence = userPresence ?? PlatformHardware.presence
        parts.presence = userPresence
        if let machine = userPresence as? any PlatformPresence {
            parts.platform = machine.platform
            parts.deviceLock = flavor.counted(machine.deviceLock)
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

    private func openVault(in directory: String) async throws(InitializationError) -> KeyVaultOpening.Opened {
        do throws(KeyVaultError) {
            return try await keys.open(in: directory, telling: flavor.logger(logger))
        } catch {
            // Without the file of the vault none of the registrations can be used.
            if error == .damaged { throw .Unknown(cause: DamagedFileError(.registrations)) }
            guard error.isAboutHardware else { throw .Unknown(cause: error) }
            flavor.logger(logger)?.log(
                .fault, .client, "\(SDKText.noHardware.english) \(SDKText.hardwareWaysOut.english)",
                [.open("cause", error)])
            throw .HardwareError(cause: error)
        }
    }
}
