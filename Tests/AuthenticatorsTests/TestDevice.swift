import Authenticators
import HardwareKeys
import TestSupport
import Testing
import UAF

/// A device in a folder of its own, with a cheap derivation and a clock that stands still.
struct TestDevice {
    /// How a process opens the vault of the device; the file system serves vaults that lie in files.
    typealias VaultOpening = @Sendable (any FileSystem) async throws -> any KeyVault

    let folder: TemporaryFolder
    let vault: any KeyVault
    let store: SecureStorageCredentialStore
    let clock: FakeClock
    let person: ScriptedPerson
    let ports: AuthenticatorPorts
    let access: KeyAccess
    private let openVault: VaultOpening

    /// A device with software keys.
    init() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/vault"
        _ = try await SoftwareKeyVault.create(inDirectory: path)
        try await self.init(in: folder) { try await SoftwareKeyVault.open(inDirectory: path, of: $0) }
    }

    /// A device with keys in a vault of the caller's choice.
    init(
        in folder: TemporaryFolder, on fileSystem: any FileSystem = PosixFileSystem(),
        openVault: @escaping VaultOpening
    ) async throws {
        try await self.init(folder, FakeClock(), ScriptedPerson(), fileSystem, openVault)
    }

    private init(
        _ folder: TemporaryFolder, _ clock: FakeClock, _ person: ScriptedPerson, _ fileSystem: any FileSystem,
        _ openVault: @escaping VaultOpening
    ) async throws {
        self.folder = folder
        self.clock = clock
        self.person = person
        self.openVault = openVault
        vault = try await openVault(fileSystem)
        store = try await Self.openStore(in: folder, vault, fileSystem)
        var ports = AuthenticatorPorts(store: store, vault: vault, clock: clock, secretProtection: try .cheap())
        ports.presence = person
        ports.platform = person
        ports.deviceLock = person
        self.ports = ports
        try await KeyJournal(ports).recover()
        access = try KeyAccess(
            appID: #require(AppID("https://example.com/facets")), facetID: #require(FacetID("ios:bundle-id:app")))
    }

    /// The same device as another process sees it, on another file system.
    func reopened(on fileSystem: any FileSystem = PosixFileSystem()) async throws -> TestDevice {
        try await TestDevice(folder, clock, person, fileSystem, openVault)
    }

    /// Opens the store once more, and nothing else.
    func openStore() async throws -> SecureStorageCredentialStore {
        try await Self.openStore(in: folder, vault, PosixFileSystem())
    }

    private static func openStore(
        in folder: TemporaryFolder, _ vault: any KeyVault, _ fileSystem: any FileSystem
    ) async throws -> SecureStorageCredentialStore {
        try await SecureStorageCredentialStore.open(
            inDirectory: folder.path + "/store", sealedBy: vault, of: fileSystem)
    }

    /// Registers a PIN authenticator for a user and takes the server's yes for granted.
    func enroll(
        _ digits: String, user: String = "jane", with ports: AuthenticatorPorts? = nil, stating server: String? = nil
    ) async throws -> Credential {
        let pin = try UserSecret.pin(digits)
        let parameters = KeyRegistration.Parameters(
            model: try model(), owner: try owner(user), access: access, challenge: try challenge(stating: server))
        let credential = try await KeyRegistration(ports ?? self.ports).perform(parameters, secret: pin)
            .credential
        try await store.update { $0.promote(credential.id) }
        return credential
    }

    /// Signs in with a PIN.
    func sign(
        _ credential: Credential, _ digits: String, access: KeyAccess? = nil, with ports: AuthenticatorPorts? = nil,
        stating server: String? = nil
    ) async throws -> [UInt8] {
        let pin = try UserSecret.pin(digits)
        let parameters = AssertionSigning.Parameters(
            credential: credential.id, access: access ?? self.access, challenge: try challenge(stating: server))
        return try await AssertionSigning(ports ?? self.ports).perform(parameters, secret: pin)
    }

    func status(_ credential: Credential) async throws -> ProtectionStatus {
        try await ProtectionStatusQuery(ports).perform(credential.id)
    }

    func model() throws -> LocalAuthenticator {
        try #require(AuthenticatorCatalog(profile: .iOS).available.first)
    }

    func owner(_ user: String) throws -> CredentialOwner {
        CredentialOwner(user: try #require(UserName(user)), server: "https://example.com")
    }

    func challenge(stating server: String? = nil) throws -> FinalChallengeParameters {
        FinalChallengeParameters(
            appID: access.appID, challenge: try #require(ServerChallenge([UInt8](repeating: 7, count: 32))),
            facetID: access.facetID, serverBinding: server.flatMap { ServerBinding(server: $0, exchange: nil) })
    }
}

extension SecretProtection {
    /// N = 2^4: a test checks thousands of PINs.
    static func cheap(rounds: Int = 16) throws -> SecretProtection {
        SecretProtection(cost: try ScryptCost(rounds: rounds, blockSize: 8, parallelism: 1), leastRounds: 2)
    }
}

extension UserSecret {
    static func pin(_ digits: String) throws -> UserSecret {
        guard let pin = UserSecret(pin: digits.utf8) else { throw NotTypable() }
        return pin
    }

    static func password(_ text: String) throws -> UserSecret {
        guard let password = UserSecret(password: text.utf8) else { throw NotTypable() }
        return password
    }
}

/// A text that is no PIN or password.
struct NotTypable: Error {}
