/// Check of device and application that the application has handed in, asked before operations.
struct DeviceProtection: Sendable {
    /// Throws when the device or the application was tampered with.
    let check: @Sendable () throws -> Void

    /// Asks the check, and throws the operation's form of what it throws.
    func require<Failure: OperationFailure>(orThrow: Failure.Type) throws(Failure) {
        do {
            try check()
        } catch {
            throw Failure.DeviceProtectionError(cause: error)
        }
    }
}
