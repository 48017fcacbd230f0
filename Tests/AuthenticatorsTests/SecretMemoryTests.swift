import Octets
import TestSupport
import Testing
import UAF

@testable import Authenticators
@testable import HardwareKeys

@Suite("SDK-16, D-L2: secrets of an authenticator lie in locked pages and nowhere else", .serialized)
struct SecretMemoryTests {
    private typealias Named = (name: String, needle: OwnMemory.Needle)

    private let device: TestDevice
    private let witness: WatchedVault
    private let ports: AuthenticatorPorts

    init() async throws {
        device = try await TestDevice()
        witness = WatchedVault(device.vault)
        ports = AuthenticatorPorts(
            store: device.store, vault: witness, clock: device.clock, secretProtection: try .cheap())
    }

    @Test("D-L2: after enrolment, sign-in, a wrong PIN and a change there is no copy of any of their secrets")
    func operations() async throws {
        let (pin, wrong, new) = (
            OwnMemory.Needle(digits: 12), OwnMemory.Needle(digits: 12), OwnMemory.Needle(digits: 12)
        )
        var needles: [Named] = [
            ("PIN", pin), ("wrong PIN", wrong), ("new PIN", new), ("device key", deviceKey),
        ]
        let parameters = KeyRegistration.Parameters(
            model: try device.model(), owner: try device.owner("jane"), access: device.access,
            challenge: try device.challenge())
        let credential = try await KeyRegistration(ports).perform(parameters, secret: try secret(pin))
            .credential
        try await device.store.update { $0.promote(credential.id) }
        needles += try await scalar(of: credential)
        expectNone(of: needles, after: "enrolment")
        let signature = AssertionSigning.Parameters(
            credential: credential.id, access: device.access, challenge: try device.challenge())
        _ = try await AssertionSigning(ports).perform(signature, secret: try secret(pin))
        expectNone(of: needles, after: "a signature")
        _ = try? await AssertionSigning(ports).perform(signature, secret: try secret(wrong))
        expectNone(of: needles, after: "a wrong PIN")
        let unlocked = try await SecretReplacement(ports).unlock(credential.id, old: try secret(pin))
        try await SecretReplacement(ports).perform(unlocked, new: try secret(new))
        expectNone(of: needles, after: "a change")
        _ = try await device.reopened().vault.publicKey(of: try await key(of: credential))
        expectNone(of: needles, after: "opening the device again")
    }

    @Test("D-L2: of a password there is no copy either, nor of what it was derived to")
    func passwords() async throws {
        let (text, wrong) = (OwnMemory.Needle(letters: 32), OwnMemory.Needle(letters: 32))
        let model = try #require(
            AuthenticatorCatalog(profile: .iOS).available.first { $0.kind == .password })
        let parameters = KeyRegistration.Parameters(
            model: model, owner: try device.owner("jane"), access: device.access, challenge: try device.challenge())
        let credential = try await KeyRegistration(ports).perform(parameters, secret: try password(text))
            .credential
        try await device.store.update { $0.promote(credential.id) }
        var needles: [Named] = [("password", text), ("wrong password", wrong), ("device key", deviceKey)]
        needles += try await scalar(of: credential)
        expectNone(of: needles, after: "enrolment")
        let signature = AssertionSigning.Parameters(
            credential: credential.id, access: device.access, challenge: try device.challenge())
        _ = try await AssertionSigning(ports).perform(signature, secret: try password(text))
        expectNone(of: needles, after: "a signature")
        _ = try? await AssertionSigning(ports).perform(signature, secret: try password(wrong))
        expectNone(of: needles, after: "a wrong password")
    }

    @Test("D-L2: what was typed is copied once for the derivation, into locked pages", arguments: [false, true])
    func copies(isPassword: Bool) throws {
        let needle = isPassword ? OwnMemory.Needle(letters: 32) : OwnMemory.Needle(digits: 12)
        let typed = try isPassword ? password(needle) : secret(needle)
        let (ordinary, locked) = typed.withUnsafeBytes { _ in
            (OwnMemory.occurrences(of: needle), OwnMemory.occurrences(of: needle, in: .forSecrets))
        }
        #expect(ordinary == 0)
        #expect(locked == 1)
    }

    /// Those, and every secret that was derived so far.
    private func expectNone(of needles: [Named], after operation: String) {
        let derived = witness.secrets.map { secret -> Named in
            ("derived secret", secret.withUnsafeBytes { OwnMemory.Needle(copying: $0) })
        }
        let all = needles + derived
        for (count, needle) in zip(OwnMemory.occurrences(of: all.map(\.needle)), all) {
            #expect(count == 0, "\(count) copies of the \(needle.name) after \(operation)")
        }
    }

    private func secret(_ needle: OwnMemory.Needle) throws -> UserSecret {
        guard let pin = UserSecret(pin: needle.bytes) else { throw NotTypable() }
        return pin
    }

    private func password(_ needle: OwnMemory.Needle) throws -> UserSecret {
        guard let password = UserSecret(password: needle.bytes) else { throw NotTypable() }
        return password
    }

    private func key(of credential: Credential) async throws -> KeyReference {
        try #require(try await device.store.contents().stored(credential.id)).key
    }

    private var deviceKey: OwnMemory.Needle {
        OwnMemory.Needle(endOf: device.folder.path + "/vault/device-key", count: VaultSecret.byteCount)
    }

    /// The private number of a key, as it is stored and as a computer with the least significant byte first holds it.
    private func scalar(of credential: Credential) async throws -> [Named] {
        let key = try await key(of: credential)
        let secret = try #require(witness.secrets.last)
        let needle = deviceKey
        let deviceKey = try #require(withExtendedLifetime(needle) { VaultSecret(copying: needle.bytes) })
        let seal = VaultSeal(deviceKey)
        let keys = SoftwareKeyFolder(of: device.folder.path + "/vault", on: PosixFileSystem(), sealedBy: seal)
        let opened = try #require(keys.privateKey(in: try keys.record(of: key), of: key, under: secret))
        return opened.withUnsafeBytes { bytes in
            [
                ("private number", OwnMemory.Needle(copying: bytes)),
                ("private number in limbs", OwnMemory.Needle(copying: bytes, isReversed: true)),
            ]
        }
    }
}
