import Authenticators
import BackendTransport
package import HardwareKeys
public import MobileAuthentication
import UAF

/// A whole phone for tests: the real SDK, with a simulated enclave and a clock that stands still.
///
/// Its keys lie in software on every machine, unless ``Traits/keys`` says otherwise.
///
/// Only the hardware and the time are simulated; policies, counters, storage and protocol are the product's. The
/// derivation of secrets costs next to nothing here, so that a test may enter a hundred PINs.
///
/// ```swift
/// let phone = try await TestPhone(configuration)
/// let user = ScriptedUser(pin: "482915", clock: phone.clock)
/// try await phone.client.operations.registration.username("anna")
///     .deviceInformation(DeviceInformation(name: "test phone"))
///     .authenticatorSelector(user).pinEnroller(user).perform()
/// ```
public final class TestPhone: Sendable {
    /// The SDK.
    public let client: any MobileAuthenticationClient
    /// Sensors, what is enrolled, and the passcode.
    public let enclave: FakeEnclave
    /// The time of the phone.
    public let clock: VirtualClock

    private let parts: Parts

    /// Parts of a phone, kept to make it again at a restart.
    private struct Parts: Sendable {
        let folder: TemporaryPhoneFolder
        let traits: Traits
        let facetID: FacetID
        let configuration: Configuration
        let transport: (any TestTransport)?
        let enclave: FakeEnclave
        let clock: VirtualClock
    }

    /// A phone that reaches a server at an address over the real network, or over a transport of the test's choice.
    ///
    /// Throws ``TestPhoneError``.
    public convenience init(
        server: URL, over transport: (any TestTransport)? = nil, _ traits: Traits = Traits(),
        enclave: FakeEnclave = FakeEnclave(), clock: VirtualClock = VirtualClock()
    ) async throws(TestPhoneError) {
        try await self.init(
            Configuration(baseUrl: server), over: transport, traits, enclave: enclave, clock: clock)
    }

    /// Makes a phone with its own configuration.
    ///
    /// Throws ``TestPhoneError``.
    public convenience init(
        _ configuration: Configuration, over transport: (any TestTransport)? = nil, _ traits: Traits = Traits(),
        enclave: FakeEnclave = FakeEnclave(), clock: VirtualClock = VirtualClock()
    ) async throws(TestPhoneError) {
        let profile = DeviceProfile(traits.profile)
        guard let facetID = profile.facetID(ofApplication: traits.application) else { throw .unusableApplicationName }
        try await self.init(
            Parts(
                folder: TemporaryPhoneFolder(), traits: traits, facetID: facetID, configuration: configuration,
                transport: transport, enclave: enclave, clock: clock))
    }

    /// The same phone after its application was ended and started again.
    ///
    /// Throws ``TestPhoneError``.
    public func restarted() async throws(TestPhoneError) -> TestPhone { try await TestPhone(parts) }

    /// Takes the registrations off this phone, and what it has taken of a chip out of it; it is of no use afterwards.
    ///
    /// Only a phone whose ``Traits/keys`` may lie in hardware needs it: software goes with the folder. Servers are told
    /// nothing. Throws ``TestPhoneError/storage(_:)``.
    public func destroy() async throws(TestPhoneError) {
        do {
            for account in client.localData.accounts {
                try await client.localData.removeAuthenticator(username: account.username, aaid: nil)
            }
            guard client.deviceCapabilities.isProtectedBySecureHardware else { return }
            try await PlatformHardware.release(parts.traits.hardware, in: parts.folder.path)
        } catch {
            throw .storage(error)
        }
    }

    private init(_ parts: Parts) async throws(TestPhoneError) {
        self.parts = parts
        enclave = parts.enclave
        clock = parts.clock
        do {
            client = try await MobileAuthenticationClientInitializer.client(
                for: parts.configuration, on: try await Self.ports(of: parts))
        } catch let error as TestPhoneError {
            throw error
        } catch {
            throw .client(error)
        }
    }

    private static func ports(of parts: Parts) async throws -> ClientPorts {
        let (vault, warning) = try await vault(of: parts)
        let authenticators = try await authenticatorPorts(of: parts, vault)
        let profile = DeviceProfile(parts.traits.profile, keysIn: vault.provider)
        let store = LocalAuthenticators(
            authenticators, profile: profile, facetID: parts.facetID, prefersRSA: parts.traits.prefersRSA)
        let transport: any HTTPTransport =
            if let transport = parts.transport {
                TransportAdapter(transport: transport)
            } else {
                try PlatformTransport.make(for: parts.configuration)
            }
        var ports = ClientPorts(facetID: parts.facetID, store: store, transport: transport)
        ports.profile = profile
        ports.keyProtection = DeviceCapabilities.KeyProtection(vault.provider)
        ports.keyVaultWarning = warning
        ports.clock = parts.clock
        ports.civilClock = parts.clock
        ports.logger = parts.traits.logger
        return ports
    }

    private static func vault(of parts: Parts) async throws(TestPhoneError) -> KeyVaultOpening.Opened {
        let opening = KeyVaultOpening(origin: .choice(parts.traits.keys), hardware: parts.traits.hardware)
        do throws(KeyVaultError) {
            return try await opening.open(in: parts.folder.path, telling: parts.traits.logger)
        } catch {
            throw .storage(error)
        }
    }

    private static func authenticatorPorts(
        of parts: Parts, _ vault: any KeyVault
    ) async throws(TestPhoneError) -> AuthenticatorPorts {
        do {
            let path = parts.folder.path
            let store = try await SecureStorageCredentialStore.open(inDirectory: path, sealedBy: vault)
            let cost = try ScryptCost(rounds: 16, blockSize: 8, parallelism: 1)
            var ports = AuthenticatorPorts(
                store: store, vault: vault, clock: parts.clock,
                secretProtection: SecretProtection(cost: cost, leastRounds: 16))
            ports.presence = parts.enclave
            ports.platform = parts.enclave
            ports.deviceLock = parts.enclave
            try await KeyJournal(ports).recover()
            return ports
        } catch {
            throw .storage(error)
        }
    }
}

extension DeviceProfile {
    init(_ profile: TestPhone.Profile, keysIn provider: KeyProvider = .software) {
        self =
            switch profile {
            case .iOS: .iOS
            case .android: .android
            case .linux: provider.isSecureHardware ? .linuxTPM : .linuxSoftware
            }
    }
}

extension TestPhone {
    /// Family of authenticator models that a phone presents.
    public enum Profile: Hashable, Sendable, CaseIterable {
        case iOS
        case android
        case linux
    }

    /// Traits of a phone, fixed when it is made.
    public struct Traits: Sendable {
        /// Family of authenticator models that it presents.
        public var profile: Profile
        /// The bundle identifier (iOS), the Base64 of the signing certificate's hash (Android) or the reverse domain
        /// name (Linux) of the application.
        public var application: String
        /// Makes RSA keys where the profile has them (Android), as older applications do.
        public var prefersRSA = false
        /// Vault of its keys: software, on every machine alike, unless a test wants it otherwise.
        ///
        /// Software is the default although applications begin with `.platform` or `.preferHardware`. With those a phone
        /// is another one on a machine with a chip than on one without: model numbers of the Linux profile, what policies
        /// accept, `deviceCapabilities`; and it takes of the two dozen counters of a developer's TPM, or of their
        /// keychain, until ``TestPhone/destroy()``, which a test that crashes never calls. So a test that is about
        /// hardware says so: `.preferHardware` takes software where there is none, with a warning in the log and in
        /// `deviceCapabilities`, and `.platform` ends with ``TestPhoneError/storage(_:)``.
        public var keys = KeyVaultChoice.software
        package var hardware: any KeyVaultSource = PlatformHardware.keys
        /// Takes the messages of the SDK.
        public var logger: (any SDKLogger)?

        /// Creates the settings of a phone.
        public init(profile: Profile = .iOS, application: String = "com.example.app") {
            self.profile = profile
            self.application = application
        }
    }
}

/// Failure to make a simulated phone.
@nonexhaustive
public enum TestPhoneError: Error, Sendable {
    /// The name of the application makes no facet: use letters, digits, `-` and `.`.
    case unusableApplicationName
    /// The folder for keys and records could not be made or opened.
    case storage(any Error)
    /// The client could not be made.
    case client(any Error)
}
