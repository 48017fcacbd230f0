/// Whether the device locks itself with a secret of its user; asks the user nothing and tries nothing.
package protocol DeviceLock: Sendable {
    /// How it stands now.
    func status() async -> DeviceLockStatus
}
