import CommandSupport
import MobileAuthentication

extension CommandFailure {
    /// Machine code of an error of the SDK: the name of its case, `FidoError` for `.FidoError(errorCode: ...)`.
    ///
    /// The names are written out because the targets of the SDK know none at run time in a release (`script/release`).
    static func code(of error: any MobileAuthenticationClientError) -> String {
        switch error {
        case AuthCloudApiError.FidoError, AuthenticationError.FidoError, OperationError.FidoError: "FidoError"
        case AuthCloudApiError.NetworkError, AuthenticationError.NetworkError,
            DeviceInformationChangeError.NetworkError, DeviceServerError.NetworkError, OperationError.NetworkError,
            OutOfBandOperationError.NetworkError:
            "NetworkError"
        case AuthCloudApiError.NoDeviceLockError, AuthenticationError.NoDeviceLockError,
            DeviceInformationChangeError.NoDeviceLockError, DeviceServerError.NoDeviceLockError,
            InitializationError.NoDeviceLockError, OperationError.NoDeviceLockError,
            OutOfBandOperationError.NoDeviceLockError, OutOfBandPayloadError.NoDeviceLockError,
            PasswordChangeError.NoDeviceLockError, PinChangeError.NoDeviceLockError:
            "NoDeviceLockError"
        case AuthCloudApiError.DeviceProtectionError, DeviceInformationChangeError.DeviceProtectionError,
            DeviceServerError.DeviceProtectionError, InitializationError.DeviceProtectionError,
            OperationError.DeviceProtectionError, OutOfBandOperationError.DeviceProtectionError,
            OutOfBandPayloadError.DeviceProtectionError, PasswordChangeError.DeviceProtectionError,
            PinChangeError.DeviceProtectionError:
            "DeviceProtectionError"
        case AuthCloudApiError.AppAttestationError, AuthenticationError.AppAttestationError,
            OperationError.AppAttestationError:
            "AppAttestationError"
        case AuthCloudApiError.ClockSkewTooBig, DeviceInformationChangeError.ClockSkewTooBig,
            DeviceServerError.ClockSkewTooBig, OperationError.ClockSkewTooBig:
            "ClockSkewTooBig"
        case AuthCloudApiError.UserAlreadyRegisteredInAnotherServer,
            OperationError.UserAlreadyRegisteredInAnotherServer:
            "UserAlreadyRegisteredInAnotherServer"
        case AuthCloudApiError.MalformedPayload, OutOfBandOperationError.MalformedPayload,
            OutOfBandPayloadError.MalformedPayload:
            "MalformedPayload"
        case AuthCloudApiError.DecryptionError, OutOfBandOperationError.DecryptionError,
            OutOfBandPayloadError.DecryptionError:
            "DecryptionError"
        default: rareCode(of: error)
        }
    }

    /// Machine code of an error that one operation or two have.
    private static func rareCode(of error: any MobileAuthenticationClientError) -> String {
        switch error {
        case AuthCloudApiError.TokenAlreadyRedeemed, OutOfBandOperationError.TokenAlreadyRedeemed:
            "TokenAlreadyRedeemed"
        case AuthCloudApiError.TokenExpired, OutOfBandOperationError.TokenExpired: "TokenExpired"
        case DeviceInformationChangeError.NameAlreadyExists, DeviceServerError.NameAlreadyExists: "NameAlreadyExists"
        case DeviceServerError.OperationNotSupportedByBackend, OperationError.OperationNotSupportedByBackend:
            "OperationNotSupportedByBackend"
        case PasswordChangeError.UserCanceled, PinChangeError.UserCanceled: "UserCanceled"
        case DeleteAuthenticatorError.InvalidAaid: "InvalidAaid"
        case DeviceInformationChangeError.NotFound: "NotFound"
        case DeviceServerError.Forbidden: "Forbidden"
        case InitializationError.HardwareError: "HardwareError"
        case InitializationError.RootedError: "RootedError"
        case InitializationError.LockScreenHasChangedError: "LockScreenHasChangedError"
        case OperationError.UserNotRegisteredInServer: "UserNotRegisteredInServer"
        case OperationError.SigningFailedWithStrongBox: "SigningFailedWithStrongBox"
        case PasswordChangeError.PasswordLocked: "PasswordLocked"
        case PasswordChangeError.PasswordNotEnrolled: "PasswordNotEnrolled"
        case PinChangeError.PinLocked: "PinLocked"
        case PinChangeError.PinNotEnrolled: "PinNotEnrolled"
        default: DamagedFileError(behind: error.cause) == nil ? "Unknown" : damageCode
        }
    }
}
