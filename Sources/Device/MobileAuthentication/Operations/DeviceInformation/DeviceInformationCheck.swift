/// Compares what this device and its servers know of each other; it changes nothing and needs no user.
public protocol DeviceInformationCheck: HttpOperation {
    /// Called once with the mismatches, and with what went wrong.
    @discardableResult @preconcurrency
    func onResult(_ handler: @escaping @MainActor (DeviceInformationCheckResult) -> Void) -> Self

    /// Runs the operation and waits for its end.
    func perform() async -> DeviceInformationCheckResult
}
