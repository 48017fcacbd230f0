package import Authenticators
import Foundation
import HardwareKeys
package import UAF

/// The authenticators of this device, on the credential store and the commands of `Authenticators`.
package struct LocalAuthenticators: AuthenticatorStore {
    private let ports: AuthenticatorPorts
    private let catalog: AuthenticatorCatalog
    private let facetID: FacetID

    /// Works with the store, vault and clock of `ports`; `facetID` is the caller whose keys these are.
    package init(_ ports: AuthenticatorPorts, catalog: AuthenticatorCatalog, facetID: FacetID) {
        self.ports = ports
        self.catalog = catalog
        self.facetID = facetID
    }

    package func snapshot() async throws(CeremonyFailure) -> DeviceSnapshot {
        let contents: StoredCredentials
        do throws(CredentialStoreError) {
            contents = try await ports.store.contents()
        } catch {
            throw .device(error)
        }
        return DeviceSnapshot(
            // The operations ask for PINs only.
            offers: catalog.available.filter { $0.kind == .pin }.map {
                DeviceSnapshot.Offer(aaid: $0.aaid, characteristics: $0.characteristics)
            },
            credentials: contents.credentials.compactMap(LocalCredential.init),
            deviceInformation: contents.deviceInformation.flatMap(DeviceInformation.init(stored:)))
    }

    // MARK: - Keys

    package func createKey(_ order: KeyOrder, pin: SecretBytes) async throws(CeremonyFailure) -> CreatedKey {
        guard let model = catalog.model(order.aaid) else { throw .fido(.noSuitableAuthenticator) }
        let owner = CredentialOwner(user: order.username, server: order.server.url.absoluteString)
        let command = Authenticators.RegisterCommand.Order(
            model: model, owner: owner, access: KeyAccess(appID: order.appID, facetID: facetID),
            challenge: order.finalChallenge)
        let octets = pin.duplicate()
        guard let pin = PIN(octets) else { throw .wrongUse(InvalidParameterError("pin")) }
        do throws(AuthenticatorError) {
            let key = try await Authenticators.RegisterCommand(ports).perform(command, secret: UserSecret(pin))
            return CreatedKey(credential: key.credential.id, assertion: key.assertion)
        } catch {
            throw CeremonyFailure(error)
        }
    }

    package func protection(of credential: CredentialID) async throws(CeremonyFailure) -> ProtectionReport {
        do throws(AuthenticatorError) {
            return ProtectionReport(try await ProtectionStatusQuery(ports).perform(credential))
        } catch {
            throw CeremonyFailure(error)
        }
    }

    package func sign(_ order: SignatureOrder, pin: SecretBytes) async throws(CeremonyFailure) -> SignatureOutcome {
        let command = Authenticators.SignCommand.Order(
            credential: order.credential, access: KeyAccess(appID: order.finalChallenge.appID, facetID: facetID),
            challenge: order.finalChallenge, transaction: order.transaction?.octets)
        let octets = pin.duplicate()
        // What is no PIN at all can be no attempt either.
        guard let pin = PIN(octets) else { return .refused(try await protection(of: order.credential)) }
        do throws(AuthenticatorError) {
            let assertion = try await Authenticators.SignCommand(ports).perform(command, secret: UserSecret(pin))
            return .signed(assertion: assertion)
        } catch {
            if let protection = ProtectionReport(error) { return .refused(protection) }
            throw CeremonyFailure(error)
        }
    }

    // MARK: - Records

    package func confirm(
        _ credential: CredentialID, deviceInformation: DeviceInformation?
    ) async throws(CeremonyFailure) {
        let fresh = try deviceInformation?.stored(
            deviceID:
                "\(MetaData.bundleIdentifier)#\(FreshOctets.make(count: 16).map { String($0, radix: 16) }.joined())")
        try await update { contents in
            contents.promote(credential)
            if contents.deviceInformation == nil, let fresh { contents.remember(deviceInformation: fresh) }
        }
    }

    package func promote(_ credentials: [CredentialID]) async throws(CeremonyFailure) {
        try await update { contents in
            for credential in credentials { contents.promote(credential) }
        }
    }

    package func markUnusable(_ credential: CredentialID) async throws(CeremonyFailure) {
        try await update { $0.markUnusable(credential) }
    }

    package func remove(_ credentials: [CredentialID]) async throws(CeremonyFailure) {
        try await update { contents in contents.delete { credentials.contains($0.id) } }
    }

    package func destroyForgottenKeys() async {
        try? await KeyJournal(ports).destroyRemoved()
    }

    private func update(_ change: (inout StoredCredentials) -> Void) async throws(CeremonyFailure) {
        do throws(CredentialStoreError) {
            try await ports.store.update(change)
        } catch {
            throw .device(error)
        }
    }
}
