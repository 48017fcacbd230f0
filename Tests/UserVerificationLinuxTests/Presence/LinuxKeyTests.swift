import Authenticators
import HardwareKeys
import TestSupport
import Testing
import UAF
import UserVerificationLinux

/// The rows of the table of revocation causes that fprintd and PAM decide, with the real ones.
@Suite("What ends a key behind a finger or the passcode on Linux", LinuxMachine.requirement)
struct LinuxKeyTests {
    private static let prompt = PresencePrompt(reason: "Sign in")

    private let machine: LinuxMachine
    private let folder: TemporaryFolder
    private let store: SecureStorageCredentialStore
    private let ports: AuthenticatorPorts
    private let access: KeyAccess

    init() async throws {
        machine = try LinuxMachine()
        folder = try TemporaryFolder()
        let path = folder.path
        let vault = try await SoftwareKeyVault.create(inDirectory: path + "/vault")
        store = try await SecureStorageCredentialStore.open(
            inDirectory: path + "/store", sealedBy: vault, of: PosixFileSystem())
        var ports = AuthenticatorPorts(store: store, vault: vault, clock: SystemCoolDownClock())
        ports.presence = try machine.user
        ports.platform = LinuxAuthenticatorPlatform(sensor: machine.sensor, service: try machine.service)
        ports.deviceLock = LinuxDeviceLock()
        self.ports = ports
        access = try KeyAccess(
            appID: #require(AppID("https://example.com/facets")), facetID: #require(FacetID("linux:app-id:org.example"))
        )
    }

    private var challenge: FinalChallengeParameters {
        get throws {
            FinalChallengeParameters(
                appID: access.appID, challenge: try #require(ServerChallenge([UInt8](repeating: 7, count: 32))),
                facetID: access.facetID)
        }
    }

    private func register(_ kind: AuthenticatorKind) async throws -> Credential {
        let profile = DeviceProfile.linuxSoftware
        let catalog = await AuthenticatorCatalog.current(profile, on: ports.platform)
        let parameters = KeyRegistration.Parameters(
            model: try #require(catalog.model(profile.aaid(of: kind))),
            owner: CredentialOwner(user: try #require(UserName("jane")), server: "https://example.com"), access: access,
            challenge: try challenge, options: VerificationOptions())
        let credential = try await KeyRegistration(ports).perform(parameters, confirmedBy: Self.prompt)
            .credential
        try await store.update { $0.promote(credential.id) }
        return credential
    }

    private func sign(with credential: Credential) async throws {
        let parameters = AssertionSigning.Parameters(
            credential: credential.id, access: access, challenge: try challenge)
        _ = try await AssertionSigning(ports).perform(parameters, confirmedBy: Self.prompt)
    }

    private func registeredFinger() async throws -> Credential {
        try await machine.fingers.enrol("right-thumb", print: "thumb")
        return try await machine.giving("thumb") { try await register(.fingerprint) }
    }

    private func expectUnusable(_ credential: Credential) async throws {
        await #expect(throws: AuthenticatorError.keyDisappearedPermanently) { try await sign(with: credential) }
        #expect(try await store.contents().credential(credential.id)?.state == .unusable)
    }

    @Test("A finger signs, another one does not")
    func signs() async throws {
        let credential = try await registeredFinger()
        try await machine.giving("thumb") { try await sign(with: credential) }
        await #expect(throws: AuthenticatorError.presence(.mismatch)) {
            try await machine.giving("nose") { try await sign(with: credential) }
        }
    }

    @Test("A second finger ends the key, and the old set does not bring it back")
    func addedFinger() async throws {
        let credential = try await registeredFinger()
        try await machine.fingers.enrol("left-thumb", print: "other")
        try await expectUnusable(credential)
        try machine.fingers.remove("left-thumb")
        try await expectUnusable(credential)
    }

    @Test("The last finger removed ends the key; a service that is away does not")
    func removedFinger() async throws {
        let credential = try await registeredFinger()
        machine.fingers.killService()
        await #expect(throws: AuthenticatorError.presence(.unavailable)) { try await sign(with: credential) }
        try machine.fingers.startService()
        try await machine.giving("thumb") { try await sign(with: credential) }
        try machine.fingers.remove("right-thumb")
        try await expectUnusable(credential)
    }

    @Test("A key behind the passcode outlives new fingers")
    func passcode() async throws {
        let credential = try await register(.devicePasscode)
        try await machine.fingers.enrol("right-thumb", print: "thumb")
        try await sign(with: credential)
        #expect(machine.entry.prompts == [Self.prompt, Self.prompt])
    }
}
