import Foundation
import HardwareKeys
import LocalAuthentication
import Security
import Testing

@testable import HardwareKeysApple

@Suite("What the frameworks answer, in the words of the vault")
struct AnswerTests {
    @Test(
        "Every answer of the keychain has a meaning",
        arguments: [
            (errSecInteractionNotAllowed, .deviceLocked), (errSecDuplicateItem, .duplicateKey),
            (errSecItemNotFound, .unknownKey), (errSecNotAvailable, .hardwareUnavailable),
            (errSecUserCanceled, .userPresence(.cancelled)), (errSecAuthFailed, .userPresence(.mismatch)),
            (errSecDecode, .damaged), (errSecMissingEntitlement, .storageFailed(code: -34_018)),
        ] as [(OSStatus, KeyVaultError)])
    func keychain(status: OSStatus, error: KeyVaultError) {
        #expect(KeyVaultError(status: status) == error)
        let asError = NSError(domain: NSOSStatusErrorDomain, code: Int(status))
        #expect(KeyVaultError(refusal: asError) == error)
    }

    @Test("Every error of LocalAuthentication has a meaning", arguments: LAError.Code.allCases)
    func localAuthentication(code: LAError.Code) {
        let expected: UserPresenceError =
            switch code {
            case .userCancel, .appCancel: .cancelled
            case .userFallback: .fallbackChosen
            case .authenticationFailed: .mismatch
            case .biometryLockout: .lockedOut
            case .passcodeNotSet, .biometryNotAvailable, .biometryNotEnrolled: .unavailable
            case .invalidContext, .notInteractive: .expired
            case .systemCancel: .notResponding
            }
        #expect(UserPresenceError(code) == expected)
        #expect(KeyVaultError(refusal: LAError.error(code)) == .userPresence(expected))
    }

    @Test(
        "Every error of the token has a meaning",
        arguments: [
            (-2, .hardwareUnavailable), (-3, .unrecoverable), (-4, .userPresence(.cancelled)),
            (-5, .userPresence(.mismatch)), (-6, .unrecoverable), (-7, .hardwareUnavailable), (-8, .unrecoverable),
            (-9, .userPresence(.expired)), (-1, .hardwareFailed(code: UInt32.max)),
        ] as [(Int, KeyVaultError)])
    func token(code: Int, error: KeyVaultError) {
        #expect(KeyVaultError(refusal: NSError(domain: "CryptoTokenKit", code: code)) == error)
    }

    @Test("An unknown error means that the key is of no use")
    func unknown() {
        struct Unheard: Error {}
        #expect(KeyVaultError(refusal: Unheard()) == .unrecoverable)
        #expect(KeyVaultError(refusal: NSError(domain: "elsewhere", code: 1)) == .unrecoverable)
    }
}
