/// Mends what a ``DeviceInformationCheck`` has found, as far as that is possible.
///
/// Only mismatches that were handed in are mended, and only those that still exist: every server is asked once more
/// before anything is changed. Some repairs remove credentials here or at a server, so ask the user first:
/// ``DeviceInformationMismatch/proposedAction`` and ``DeviceInformationMismatch/explanation`` say what would be done.
public protocol DeviceInformationSync: HttpOperation {
    /// What is to be mended; required.
    @discardableResult
    func mismatches(_ mismatches: [DeviceInformationMismatch]) -> Self

    /// Called once with what could not be mended.
    @discardableResult @preconcurrency
    func onResult(_ handler: @escaping @MainActor (DeviceInformationSyncResult) -> Void) -> Self

    /// Runs the operation and waits for its end.
    func perform() async -> DeviceInformationSyncResult
}
