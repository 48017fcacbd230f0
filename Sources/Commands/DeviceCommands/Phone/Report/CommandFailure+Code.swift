import CommandSupport
import MobileAuthentication

extension CommandFailure {
    /// Machine code of an error of the SDK: the name of its case, `FidoError` for `.FidoError(errorCode: ...)`.
    ///
    /// The names are written out because the targets of the SDK know none at run time in a release (`script/release`).
    static func code(of error: any MobileAuthenticationClientError) -> String {
        switch error {
        case let error as AuthCloudApiError: error.caseName
        case let error as AuthenticationError: error.caseName
        case let error as DeleteAuthenticatorError: error.caseName
        case let error as DeviceInformationChangeError: error.caseName
        case let error as DeviceServerError: error.caseName
        case let error as InitializationError: error.caseName
        case let error as OperationError: error.caseName
        case let error as OutOfBandOperationError: error.caseName
        case let error as OutOfBandPayloadError: error.caseName
        case let error as PasswordChangeError: error.caseName
        case let error as PinChangeError: error.caseName
        default: "Unknown"
        }
    }
}

extension AuthCloudApiError {
    fileprivate var caseName: String {
        switch self {
        case .FidoError: "FidoError"
        case .NetworkError: "NetworkError"
        case .NoDeviceLockError: "NoDeviceLockError"
        case .DeviceProtectionError: "DeviceProtectionError"
        case .AppAttestationError: "AppAttestationError"
        case .ClockSkewTooBig: "ClockSkewTooBig"
        case .UserAlreadyRegisteredInAnotherServer: "UserAlreadyRegisteredInAnotherServer"
        case .MalformedPayload: "MalformedPayload"
        case .DecryptionError: "DecryptionError"
        case .TokenAlreadyRedeemed: "TokenAlreadyRedeemed"
        case .TokenExpired: "TokenExpired"
        case .Unknown: "Unknown"
        }
    }
}

extension AuthenticationError {
    fileprivate var caseName: String {
        switch self {
        case .FidoError: "FidoError"
        case .NetworkError: "NetworkError"
        case .AppAttestationError: "AppAttestationError"
        case .NoDeviceLockError: "NoDeviceLockError"
        case .Unknown: "Unknown"
        }
    }
}

extension DeleteAuthenticatorError {
    fileprivate var caseName: String {
        switch self {
        case .InvalidAaid: "InvalidAaid"
        case .Unknown: "Unknown"
        }
    }
}

extension DeviceInformationChangeError {
    fileprivate var caseName: String {
        switch self {
        case .NetworkError: "NetworkError"
        case .NoDeviceLockError: "NoDeviceLockError"
        case .DeviceProtectionError: "DeviceProtectionError"
        case .ClockSkewTooBig: "ClockSkewTooBig"
        case .NameAlreadyExists: "NameAlreadyExists"
        case .NotFound: "NotFound"
        case .Unknown: "Unknown"
        }
    }
}

extension DeviceServerError {
    fileprivate var caseName: String {
        switch self {
        case .NetworkError: "NetworkError"
        case .NoDeviceLockError: "NoDeviceLockError"
        case .DeviceProtectionError: "DeviceProtectionError"
        case .ClockSkewTooBig: "ClockSkewTooBig"
        case .OperationNotSupportedByBackend: "OperationNotSupportedByBackend"
        case .NameAlreadyExists: "NameAlreadyExists"
        case .Forbidden: "Forbidden"
        case .Unknown: "Unknown"
        }
    }
}

extension InitializationError {
    fileprivate var caseName: String {
        switch self {
        case .DeviceProtectionError: "DeviceProtectionError"
        case .NoDeviceLockError: "NoDeviceLockError"
        case .HardwareError: "HardwareError"
        case .RootedError: "RootedError"
        case .LockScreenHasChangedError: "LockScreenHasChangedError"
        case .Unknown: "Unknown"
        }
    }
}

extension OperationError {
    fileprivate var caseName: String {
        switch self {
        case .FidoError: "FidoError"
        case .NetworkError: "NetworkError"
        case .NoDeviceLockError: "NoDeviceLockError"
        case .DeviceProtectionError: "DeviceProtectionError"
        case .AppAttestationError: "AppAttestationError"
        case .ClockSkewTooBig: "ClockSkewTooBig"
        case .OperationNotSupportedByBackend: "OperationNotSupportedByBackend"
        case .UserAlreadyRegisteredInAnotherServer: "UserAlreadyRegisteredInAnotherServer"
        case .UserNotRegisteredInServer: "UserNotRegisteredInServer"
        case .SigningFailedWithStrongBox: "SigningFailedWithStrongBox"
        case .Unknown: "Unknown"
        }
    }
}

extension OutOfBandOperationError {
    fileprivate var caseName: String {
        switch self {
        case .MalformedPayload: "MalformedPayload"
        case .DecryptionError: "DecryptionError"
        case .TokenAlreadyRedeemed: "TokenAlreadyRedeemed"
        case .TokenExpired: "TokenExpired"
        case .NetworkError: "NetworkError"
        case .NoDeviceLockError: "NoDeviceLockError"
        case .DeviceProtectionError: "DeviceProtectionError"
        case .Unknown: "Unknown"
        }
    }
}

extension OutOfBandPayloadError {
    fileprivate var caseName: String {
        switch self {
        case .MalformedPayload: "MalformedPayload"
        case .DecryptionError: "DecryptionError"
        case .NoDeviceLockError: "NoDeviceLockError"
        case .DeviceProtectionError: "DeviceProtectionError"
        case .Unknown: "Unknown"
        }
    }
}

extension PasswordChangeError {
    fileprivate var caseName: String {
        switch self {
        case .PasswordLocked: "PasswordLocked"
        case .PasswordNotEnrolled: "PasswordNotEnrolled"
        case .UserCanceled: "UserCanceled"
        case .NoDeviceLockError: "NoDeviceLockError"
        case .DeviceProtectionError: "DeviceProtectionError"
        case .Unknown: "Unknown"
        }
    }
}

extension PinChangeError {
    fileprivate var caseName: String {
        switch self {
        case .PinLocked: "PinLocked"
        case .PinNotEnrolled: "PinNotEnrolled"
        case .UserCanceled: "UserCanceled"
        case .NoDeviceLockError: "NoDeviceLockError"
        case .DeviceProtectionError: "DeviceProtectionError"
        case .Unknown: "Unknown"
        }
    }
}
