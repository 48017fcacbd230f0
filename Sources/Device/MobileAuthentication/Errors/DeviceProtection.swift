/// Failure of an operation that can say that the device or the application was tampered with.
protocol DeviceProtectionFailure: MobileAuthenticationClientError {
    /// The failure for what the application's check of the device has thrown.
    static func tampered(_ cause: any Error) -> Self
}

/// Check of device and application that the application has handed in, asked before operations.
struct DeviceProtection: Sendable {
    /// Throws when the device or the application was tampered with.
    let check: @Sendable () throws -> Void

    /// Asks the check, and throws the operation's form of what it throws.
    func require<Failure: DeviceProtectionFailure>(orThrow: Failure.Type) throws(Failure) {
        do {
            try check()
        } catch {
            throw Failure.tampered(error)
        }
    }
}

extension InitializationError: DeviceProtectionFailure {
    static func tampered(_ cause: any Error) -> Self { .DeviceProtectionError(cause: cause) }
}

extension OperationError: DeviceProtectionFailure {
    static func tampered(_ cause: any Error) -> Self { .DeviceProtectionError(cause: cause) }
}

extension AuthenticationError: DeviceProtectionFailure {
    /// The documented error of a sign-in has no case for it.
    static func tampered(_ cause: any Error) -> Self { .Unknown(cause: cause) }
}

extension AuthCloudApiError: DeviceProtectionFailure {
    static func tampered(_ cause: any Error) -> Self { .DeviceProtectionError(cause: cause) }
}

extension OutOfBandOperationError: DeviceProtectionFailure {
    static func tampered(_ cause: any Error) -> Self { .DeviceProtectionError(cause: cause) }
}

extension PinChangeError: DeviceProtectionFailure {
    static func tampered(_ cause: any Error) -> Self { .DeviceProtectionError(cause: cause) }
}

extension PasswordChangeError: DeviceProtectionFailure {
    static func tampered(_ cause: any Error) -> Self { .DeviceProtectionError(cause: cause) }
}

extension DeviceInformationChangeError: DeviceProtectionFailure {
    static func tampered(_ cause: any Error) -> Self { .DeviceProtectionError(cause: cause) }
}
