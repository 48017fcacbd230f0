import CommandSupport
import Foundation
import HardwareKeys
import MobileAuthentication
import SecureStorage
import Testing

@testable import DeviceCommands

/// The lists are written out: programs read these codes, and a release has no names of cases to take them from.
@Suite("The code of a failure in JSON is the name of its case, in a release as well")
struct FailureCodeTests {
    private static let server: any Server = StrangeServer()

    private func codes(of errors: [any MobileAuthenticationClientError]) -> [String] {
        errors.map { CommandFailure(reporting: $0).code }
    }

    @Test("A registration with the Authentication Cloud fails with these codes")
    func cloud() {
        let errors: [AuthCloudApiError] = [
            .FidoError(errorCode: .userLockout, cause: nil), .NetworkError(cause: nil),
            .NoDeviceLockError(cause: nil), .DeviceProtectionError(cause: nil), .AppAttestationError(cause: nil),
            .ClockSkewTooBig(cause: nil), .UserAlreadyRegisteredInAnotherServer(cause: nil),
            .MalformedPayload(cause: nil), .DecryptionError(cause: nil), .TokenAlreadyRedeemed(cause: nil),
            .TokenExpired(cause: nil), .Unknown(cause: nil),
        ]
        #expect(
            codes(of: errors) == [
                "FidoError", "NetworkError", "NoDeviceLockError", "DeviceProtectionError", "AppAttestationError",
                "ClockSkewTooBig", "UserAlreadyRegisteredInAnotherServer", "MalformedPayload", "DecryptionError",
                "TokenAlreadyRedeemed", "TokenExpired", "Unknown",
            ])
    }

    @Test("An authentication fails with these codes")
    func authentication() {
        let errors: [AuthenticationError] = [
            .FidoError(errorCode: .userLockout, cause: nil, sessionProvider: nil),
            .NetworkError(cause: nil, sessionProvider: nil), .AppAttestationError(cause: nil),
            .NoDeviceLockError(cause: nil), .Unknown(cause: nil),
        ]
        #expect(
            codes(of: errors) == [
                "FidoError", "NetworkError", "AppAttestationError", "NoDeviceLockError", "Unknown",
            ])
    }

    @Test("The deletion of an authenticator fails with these codes")
    func deletion() {
        let errors: [DeleteAuthenticatorError] = [
            .InvalidAaid(cause: nil), .Unknown(cause: nil),
        ]
        #expect(codes(of: errors) == ["InvalidAaid", "Unknown"])
    }

    @Test("A change of the device information fails with these codes")
    func change() {
        let errors: [DeviceInformationChangeError] = [
            .NetworkError(cause: nil), .NoDeviceLockError(cause: nil), .DeviceProtectionError(cause: nil),
            .ClockSkewTooBig(cause: nil), .NameAlreadyExists(cause: nil), .NotFound(cause: nil), .Unknown(cause: nil),
        ]
        #expect(
            codes(of: errors) == [
                "NetworkError", "NoDeviceLockError", "DeviceProtectionError", "ClockSkewTooBig", "NameAlreadyExists",
                "NotFound", "Unknown",
            ])
    }

    @Test("What goes to each server of the phone fails with these codes")
    func eachServer() {
        let errors: [DeviceServerError] = [
            .NetworkError(server: Self.server, cause: nil), .NoDeviceLockError(cause: nil),
            .DeviceProtectionError(server: Self.server, cause: nil),
            .ClockSkewTooBig(server: Self.server, cause: nil),
            .OperationNotSupportedByBackend(server: Self.server, cause: nil),
            .NameAlreadyExists(server: Self.server, cause: nil), .Forbidden(server: Self.server, cause: nil),
            .Unknown(server: Self.server, cause: nil),
        ]
        #expect(
            codes(of: errors) == [
                "NetworkError", "NoDeviceLockError", "DeviceProtectionError", "ClockSkewTooBig",
                "OperationNotSupportedByBackend", "NameAlreadyExists", "Forbidden", "Unknown",
            ])
    }

    @Test("A client cannot be made, with these codes")
    func initialization() {
        let errors: [InitializationError] = [
            .DeviceProtectionError(cause: nil), .NoDeviceLockError(cause: nil), .HardwareError(cause: nil),
            .RootedError(cause: nil), .LockScreenHasChangedError(cause: nil), .Unknown(cause: nil),
        ]
        #expect(
            codes(of: errors) == [
                "DeviceProtectionError", "NoDeviceLockError", "HardwareError", "RootedError",
                "LockScreenHasChangedError", "Unknown",
            ])
    }

    @Test("Registration and deregistration fail with these codes")
    func operation() {
        let errors: [OperationError] = [
            .FidoError(errorCode: .userLockout, cause: nil), .NetworkError(cause: nil),
            .NoDeviceLockError(cause: nil), .DeviceProtectionError(cause: nil), .AppAttestationError(cause: nil),
            .ClockSkewTooBig(cause: nil), .OperationNotSupportedByBackend(cause: nil),
            .UserAlreadyRegisteredInAnotherServer(cause: nil), .UserNotRegisteredInServer(cause: nil),
            .SigningFailedWithStrongBox(cause: nil), .Unknown(cause: nil),
        ]
        #expect(
            codes(of: errors) == [
                "FidoError", "NetworkError", "NoDeviceLockError", "DeviceProtectionError", "AppAttestationError",
                "ClockSkewTooBig", "OperationNotSupportedByBackend", "UserAlreadyRegisteredInAnotherServer",
                "UserNotRegisteredInServer", "SigningFailedWithStrongBox", "Unknown",
            ])
    }

    @Test("An operation out of band fails with these codes")
    func outOfBand() {
        let errors: [OutOfBandOperationError] = [
            .MalformedPayload(cause: nil), .DecryptionError(cause: nil), .TokenAlreadyRedeemed(cause: nil),
            .TokenExpired(cause: nil), .NetworkError(cause: nil), .NoDeviceLockError(cause: nil),
            .DeviceProtectionError(cause: nil), .Unknown(cause: nil),
        ]
        #expect(
            codes(of: errors) == [
                "MalformedPayload", "DecryptionError", "TokenAlreadyRedeemed", "TokenExpired", "NetworkError",
                "NoDeviceLockError", "DeviceProtectionError", "Unknown",
            ])
    }

    @Test("A payload cannot be read, with these codes")
    func payload() {
        let errors: [OutOfBandPayloadError] = [
            .MalformedPayload(cause: nil), .DecryptionError(cause: nil), .NoDeviceLockError(cause: nil),
            .DeviceProtectionError(cause: nil), .Unknown(cause: nil),
        ]
        #expect(
            codes(of: errors) == [
                "MalformedPayload", "DecryptionError", "NoDeviceLockError", "DeviceProtectionError", "Unknown",
            ])
    }

    @Test("A change of the password fails with these codes")
    func password() {
        let errors: [PasswordChangeError] = [
            .PasswordLocked(cause: nil), .PasswordNotEnrolled(cause: nil), .UserCanceled(cause: nil),
            .NoDeviceLockError(cause: nil), .DeviceProtectionError(cause: nil), .Unknown(cause: nil),
        ]
        #expect(
            codes(of: errors) == [
                "PasswordLocked", "PasswordNotEnrolled", "UserCanceled", "NoDeviceLockError", "DeviceProtectionError",
                "Unknown",
            ])
    }

    @Test("A change of the PIN fails with these codes")
    func pin() {
        let errors: [PinChangeError] = [
            .PinLocked(cause: nil), .PinNotEnrolled(cause: nil), .UserCanceled(cause: nil),
            .NoDeviceLockError(cause: nil), .DeviceProtectionError(cause: nil), .Unknown(cause: nil),
        ]
        #expect(
            codes(of: errors) == [
                "PinLocked", "PinNotEnrolled", "UserCanceled", "NoDeviceLockError", "DeviceProtectionError",
                "Unknown",
            ])
    }

    @Test("A secure storage fails with these codes")
    func storage() {
        let errors: [SecureStorageError] = [
            .storageNameInvalid(.length), .unknownStorage, .unreadableStorage(.argon2Missing), .storageCorrupted,
            .fingerprintMismatch, .passphraseMismatch, .rollbackDetected, .unrecoverableKey,
            .secureHardwareUnavailable, .secureHardwareBusy, .dataLocked, .userPresenceFailed(.expired),
            .userCancelled, .enrollmentChanged, .keyNameInvalid(.format), .unknownKey, .valueInvalid,
            .incorrectGetter, .conflict, .migrationNeeded, .ioFailure(code: 28), .notPrivate, .networkFileSystem,
            .limitExceeded, .notLoaded, .configurationInvalid,
        ]
        #expect(
            errors.map { CommandFailure($0).code } == [
                "StorageNameInvalid", "UnknownStorage", "UnreadableStorage", "StorageCorrupted",
                "FingerprintMismatch", "PassphraseMismatch", "RollbackDetected", "UnrecoverableKey",
                "SecureHardwareUnavailable", "SecureHardwareBusy", "DataLocked", "UserPresenceFailed",
                "UserCancelled", "EnrollmentChanged", "KeyNameInvalid", "UnknownKey", "ValueInvalid",
                "IncorrectGetter", "Conflict", "MigrationNeeded", "IoFailure", "NotPrivate", "NetworkFileSystem",
                "LimitExceeded", "NotLoaded", "ConfigurationInvalid",
            ])
    }

    @Test("Errors of a storage that have no sentence of their own are told by their names")
    func words() {
        let errors: [SecureStorageError] = [.dataLocked, .migrationNeeded, .userPresenceFailed(.lockedOut)]
        #expect(
            errors.map { CommandFailure($0).message } == [
                "the storage says: dataLocked", "the storage says: migrationNeeded",
                "the storage says: userPresenceFailed(lockedOut)",
            ])
    }

    @Test("An unusable folder is told with the name of the error and its number")
    func folder() {
        let failure = CommandFailure(reporting: FileSystemError.failed(code: 13))
        #expect(failure.code == "FileError")
        #expect(failure.message == "the device folder cannot be used: failed(code: 13)")
    }
}

/// A server as an application could pretend it.
private struct StrangeServer: Server {
    var baseUrl: URL { URL(filePath: "/") }
}
