package import Authenticators
package import HardwareKeys
import Octets
package import UAF
package import UAFClient

/// The authenticators of this device, on the credential store and the commands of `Authenticators`.
package struct LocalAuthenticators: AuthenticatorStore, AuthenticatorKeys {
    let ports: AuthenticatorPorts
    private let profile: DeviceProfile
    private let facetID: FacetID
    private let prefersRSA: Bool
    /// Identifier that survives a reinstallation and from which the device's is made; nil where there is none.
    let installationID: String?

    /// Works with the store, vault and clock of `ports`; `facetID` is the caller whose keys these are.
    ///
    /// `prefersRSA` makes RSA keys where profile and vault know them and the server does not want others.
    package init(
        _ ports: AuthenticatorPorts, profile: DeviceProfile, facetID: FacetID, prefersRSA: Bool = false,
        installationID: String? = nil
    ) {
        self.installationID = installationID
        self.ports = ports
        self.profile = profile
        self.facetID = facetID
        self.prefersRSA = prefersRSA
    }

    package func snapshot() async throws(CeremonyFailure) -> DeviceSnapshot {
        let contents = try await contents()
        let strict = await catalog(allowingClass2Sensors: false)
        let lax = await catalog(allowingClass2Sensors: true)
        return DeviceSnapshot(
            models: strict.models.map { model in
                DeviceSnapshot.Model(
                    aaid: model.aaid, characteristics: model.characteristics,
                    support: DeviceSnapshot.Support(model, underLaxRules: lax.model(model.aaid)))
            },
            credentials: contents.credentials.compactMap(LocalCredential.init),
            deviceInformation: contents.credentials.contains { $0.state != .pending }
                ? contents.deviceInformation.flatMap(DeviceInformation.init(stored:)) : nil,
            deviceKeys: contents.deviceKeys.compactMap { entry in
                URL(string: entry.server).map {
                    DeviceServerKeys(
                        server: ServerAddress($0), signing: entry.publicKeys.signing,
                        agreement: entry.publicKeys.agreement)
                }
            },
            departed: contents.departed.compactMap(DeviceSnapshot.Departure.init), damagedCount: contents.lost.count)
    }

    package func requireDeviceLock() async throws(CeremonyFailure) {
        guard await ports.deviceLock.status() == .absent else { return }
        // Keys that the removal of the lock invalidates are marked, so that the application sees them; nothing is
        // deleted.
        let lost = try await contents().credentials.filter { credential in
            credential.state == .active && (profile == .iOS || profile.kind(of: credential.id.aaid) == .devicePasscode)
        }
        if !lost.isEmpty {
            try await update { contents in
                for credential in lost { contents.markUnusable(credential.id) }
            }
        }
        throw .noDeviceLock
    }

    func contents() async throws(CeremonyFailure) -> StoredCredentials {
        do throws(CredentialStoreError) {
            return try await ports.store.contents()
        } catch {
            throw .device(error)
        }
    }

    package func supportAtOnce(of aaid: AAID) -> PlatformSupport? {
        profile.kind(of: aaid).flatMap { AuthenticatorCatalog.supportAtOnce(for: $0, in: profile, on: ports.platform) }
    }

    private func catalog(allowingClass2Sensors: Bool) async -> AuthenticatorCatalog {
        await AuthenticatorCatalog.current(
            profile, on: ports.platform, keysIn: ports.vault.provider, allowsClass2Sensors: allowingClass2Sensors)
    }

    // MARK: - Keys

    package func createKey(
        _ parameters: KeyParameters, _ consent: UserConsent, attestedBy attester: ProvedAttester?
    ) async throws(CeremonyFailure) -> CreationOutcome {
        let registration = KeyRegistration(ports, attestedBy: attester)
        let command = try await command(parameters)
        do throws(AuthenticatorError) {
            let key: (credential: Credential, assertion: [UInt8])
            switch consent {
            case .secret(let typed):
                guard let secret = typed.withUnsafeBytes({ UserSecret(copying: $0, for: parameters.aaid) }) else {
                    throw .wrongUse
                }
                key = try await registration.perform(command, secret: secret)
            case .presence(let request):
                key = try await registration.perform(command, confirmedBy: request.prompt)
            }
            return .made(CreatedKey(credential: key.credential.id, assertion: key.assertion))
        } catch {
            if let refusal = PresenceRefusal(error) { return .refused(refusal) }
            throw CeremonyFailure(error)
        }
    }

    package func makeAttester() async throws(KeyVaultError) -> (any KeyAttester)? {
        guard let vault = ports.vault as? any AttestingKeyVault else { return nil }
        return try await vault.makeAttester()
    }

    private func command(_ parameters: KeyParameters) async throws(CeremonyFailure) -> KeyRegistration.Parameters {
        let catalog = await catalog(allowingClass2Sensors: parameters.choices.allowsClass2Sensors)
        guard let model = catalog.model(parameters.aaid), model.availability != .notOffered else {
            throw .fido(.noSuitableAuthenticator)
        }
        guard model.availability == .available else { throw .fido(.userNotEnrolled) }
        return KeyRegistration.Parameters(
            model: model,
            owner: CredentialOwner(user: parameters.username, server: try await spelling(of: parameters.server)),
            access: KeyAccess(appID: parameters.appID, facetID: facetID), challenge: parameters.finalChallenge,
            options: VerificationOptions(
                allowsDevicePasscodeFallback: parameters.choices.allowsDevicePasscodeFallback,
                invalidatesOnNewBiometrics: parameters.choices.invalidatesOnNewBiometrics ?? true,
                allowsClass2Sensors: parameters.choices.allowsClass2Sensors),
            algorithm: profile.algorithm(
                acceptedBy: parameters.acceptedAlgorithms, prefersRSA: prefersRSA, keysIn: ports.vault.provider))
    }

    package func protection(of credential: CredentialID) async throws(CeremonyFailure) -> ProtectionReport {
        do throws(AuthenticatorError) {
            return ProtectionReport(try await ProtectionStatusQuery(ports).perform(credential))
        } catch {
            throw CeremonyFailure(error)
        }
    }

    package func sign(
        _ parameters: SignatureParameters, _ consent: UserConsent
    ) async throws(CeremonyFailure) -> SignatureOutcome {
        let command = AssertionSigning.Parameters(
            credential: parameters.credential,
            access: KeyAccess(appID: parameters.finalChallenge.appID, facetID: facetID),
            challenge: parameters.finalChallenge, transaction: parameters.transaction?.octets)
        switch consent {
        case .secret(let typed):
            // Input that cannot be such a secret is not counted as an attempt.
            let aaid = parameters.credential.aaid
            guard let secret = typed.withUnsafeBytes({ UserSecret(copying: $0, for: aaid) }) else {
                return .refused(try await protection(of: parameters.credential))
            }
            do throws(AuthenticatorError) {
                return .signed(assertion: try await AssertionSigning(ports).perform(command, secret: secret))
            } catch {
                if let protection = ProtectionReport(error) { return .refused(protection) }
                throw CeremonyFailure(error)
            }
        case .presence(let request):
            do throws(AuthenticatorError) {
                return .signed(
                    assertion: try await AssertionSigning(ports).perform(
                        command, confirmedBy: request.prompt))
            } catch {
                if let refusal = PresenceRefusal(error) { return .unconfirmed(refusal) }
                throw CeremonyFailure(error)
            }
        }
    }

    package func unlock(
        _ credential: CredentialID, with old: SecretBytes
    ) async throws(CeremonyFailure) -> UnlockOutcome {
        guard let secret = old.withUnsafeBytes({ UserSecret(copying: $0, for: credential.aaid) }) else {
            return .ignored(try await protection(of: credential))
        }
        do throws(AuthenticatorError) {
            return .opened(OpenedKey(key: try await SecretReplacement(ports).unlock(credential, old: secret), ports))
        } catch {
            guard let protection = ProtectionReport(error) else { throw CeremonyFailure(error) }
            if case .coolingDown = error { return .ignored(protection) }
            return .wrong(protection)
        }
    }

    // MARK: - Records

    package func confirm(_ credential: CredentialID, target: String?) async throws(CeremonyFailure) {
        try await update { contents in
            contents.promote(credential)
            guard let target, let user = contents.credential(credential)?.owner.user.text else { return }
            contents.changeDeviceInformation {
                $0.applying(.remember(DeviceRecord.Link(identifier: target, username: user)))
            }
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
        try await update { contents in
            contents.delete { credentials.contains($0.id) }
            contents.forgetTargetsWithoutCredentials()
        }
    }

    package func deleteHere(_ credentials: [CredentialID]) async throws(CeremonyFailure) {
        try await update { contents in
            contents.rememberDeparted(without: credentials)
            contents.delete { credentials.contains($0.id) }
            contents.forgetTargetsWithoutCredentials()
        }
    }

    package func forgetDeparted(_ identifiers: [String], at server: ServerAddress) async throws(CeremonyFailure) {
        try await update { contents in
            contents.forgetDeparted { account in
                URL(string: account.owner.server).map(ServerAddress.init) == server
                    && identifiers.contains { $0.hasSameOctets(as: account.recordID) }
            }
        }
    }

    package func giveUpDamaged() async throws(CeremonyFailure) { try await update { $0.giveUpLost() } }

    package func requireWritable() async throws(CeremonyFailure) {
        do throws(CredentialStoreError) {
            try await ports.store.requireWritable()
        } catch {
            throw .device(error)
        }
    }

    package func destroyForgottenKeys() async { try? await KeyJournal(ports).destroyRemoved() }

    @discardableResult
    func update<Value>(_ change: (inout StoredCredentials) -> Value) async throws(CeremonyFailure) -> Value {
        do throws(CredentialStoreError) {
            return try await ports.store.update(change)
        } catch {
            throw .device(error)
        }
    }
}
