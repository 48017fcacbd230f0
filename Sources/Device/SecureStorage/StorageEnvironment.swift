import Crypto
package import HardwareKeys

/// Dependencies of a storage on its surroundings; tests put their own in.
package struct StorageEnvironment: Sendable {
    package static let system = StorageEnvironment()

    /// File system of the storage; nil for the operating system's.
    package var fileSystem: (any FileSystem)?
    /// Time since some moment in the past; it goes on while the device sleeps.
    package var now: @Sendable () -> Duration = { ContinuousClock.now - StorageEnvironment.start }
    /// Makes random bytes; nil for the generator of the operating system.
    ///
    /// The writer of golden files fixes it.
    package var randomOctets: (@Sendable (Int) -> [UInt8])?
    /// The number of AEAD invocations after which a root key is replaced (SP 800-38D, 8.3, allows 2^32).
    package var rotationThreshold: UInt64 = 1 << 30
    /// The most bytes of a log; nil for what the size of its base suggests.
    package var logByteLimit: Int?
    /// Whether costs of passphrases that are too low for production are taken.
    package var acceptsCheapPassphrases = false

    /// Installation identifier of the operating system (`machine-id`); nil where there is none.
    package var machineIdentifier: @Sendable () -> [UInt8]? = { DeviceTraits.machineIdentifier }

    private static let start = ContinuousClock.now

    package init() {}

    func fileSystem(for configuration: SecureStorage.Configuration) -> any FileSystem {
        fileSystem ?? PosixFileSystem(allowsNetwork: configuration.allowsNetworkFileSystem)
    }

    func octets(_ count: Int) -> [UInt8] { randomOctets?(count) ?? FreshOctets.make(count: count) }

    func secret() -> VaultSecret {
        guard let randomOctets, let secret = VaultSecret(copying: randomOctets(VaultSecret.byteCount)) else {
            return .random()
        }
        return secret
    }

    /// A fresh nonce of 96 random bits.
    func nonce() -> AES.GCM.Nonce {
        guard let randomOctets, let nonce = try? AES.GCM.Nonce(data: randomOctets(12)) else { return AES.GCM.Nonce() }
        return nonce
    }

    var floor: PassphraseDerivation.Floor {
        acceptsCheapPassphrases
            ? PassphraseDerivation.Floor(scryptRounds: 2, pbkdf2Rounds: 1, argon2Kibibytes: 8) : .production
    }
}
