import Crypto
import DocumentListings
import Foundation
import HardwareKeys
import HardwareKeysTPM
import TestSupport
import Testing
import UserVerificationLinux

@Suite("The listings about vaults and the presence of the user do what they say")
struct VaultListingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func vault() async throws -> SoftwareKeyVault {
        try #require(try await HardwareKeysListings.softwareVault(folder.path + "/keys").first)
    }

    @Test("A vault is made, opened again, and signs with the right secret")
    func vaults() async throws {
        _ = try await vault()
        let (secret, message) = (VaultSecret.random(), Array("message".utf8))
        let (publicKey, signature) = try await HardwareKeysListings.vault(try await vault(), secret, message)
        let key = try P256.Signing.PublicKey(derRepresentation: publicKey)
        let isValid = key.isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: signature), for: message)
        #expect(isValid)
        #expect(Set(HardwareKeysListings.requirements()).count == 4)
    }

    @Test("A sealed secret is opened, behind a gate only by the user")
    func secrets() async throws {
        let vault = try await vault()
        var stored: [UInt8] = []
        let opened = try await HardwareKeysListings.sealedSecret(in: vault) {
            stored = $0
        } stored: {
            stored
        }
        #expect(opened != nil)
        let sealed = try await vault.seal(.random(), behind: .userPresence)
        _ = try await HardwareKeysListings.presence(HardwareKeysListings.kiosk(answering: true), vault, sealed)
        await #expect(throws: UserPresenceError.cancelled) {
            try await HardwareKeysListings.presence(HardwareKeysListings.kiosk(answering: false), vault, sealed)
        }
    }

    @Test("A machine says what it can verify, and that it locks itself")
    func kiosk() async {
        let kiosk = HardwareKeysListings.kiosk(answering: true)
        #expect(await kiosk.platform.support(for: .devicePasscode) == .complete)
        #expect(await kiosk.platform.support(for: .face) == .absent)
        #expect(await kiosk.deviceLock.status() == .present)
    }

    @Test("An older copy is told by the count")
    func anchors() async throws {
        #expect(try await HardwareKeysListings.anchor(CountedAnchor(count: 4), recorded: 4) == 5)
        #expect(try await HardwareKeysListings.anchor(CountedAnchor(count: 4), recorded: 3) == nil)
    }

    private struct CountedAnchor: RollbackAnchor {
        let count: UInt64

        func value() async throws(KeyVaultError) -> UInt64 { count }
        func advance() async throws(KeyVaultError) -> UInt64 { count + 1 }
    }

    @Test("A passcode is taken from the window, and none from a closed one")
    func passcodes() async throws {
        let prompt = PresencePrompt(reason: "Sign in")
        let open = Window(typed: "correct horse") { #expect($0 == "Sign in") }
        _ = try await UserVerificationListings.entry(open).passcode(prompt)
        let closed = Window(typed: nil) { _ in }
        await #expect(throws: UserPresenceError.cancelled) {
            try await UserVerificationListings.entry(closed).passcode(prompt)
        }
        let (progress, scan) = AsyncStream<ScanProgress>.makeStream()
        scan.yield(.retry(.scanAgain))
        scan.finish()
        #expect(await UserVerificationListings.dialog(closed).show(prompt, progress) == .cancelled)
    }

    @Test(
        "D-H3: a chip counts for a key, and its memory is cleared of what is not needed",
        .enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.absence)"))
    func chip() async throws {
        let chip = try SoftwareTPM()
        let (directory, secret) = (folder.path + "/chip", VaultSecret.random())
        let (signature, attempts) = try await TPMListings.vault(
            chip.connection, directory, secret, Array("message".utf8))
        #expect(signature.count == 64 && attempts == KeyAttempts(failures: 0, limit: 5))
        let before = try chip.indices()
        _ = try await TPMListings.memory(chip.connection, directory)
        #expect(try chip.indices() == before)
        try FileManager.default.removeItem(atPath: directory)
        _ = try await TPMListings.memory(chip.connection, folder.path + "/elsewhere")
        #expect(try chip.indices().count < before.count)
        #expect(TPMListings.connection(ownerPassword: Array("owner".utf8)).last??.name == "device:/dev/tpmrm0")
    }
}
