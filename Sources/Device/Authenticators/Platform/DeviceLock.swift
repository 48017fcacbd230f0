/// Whether the device locks itself with a secret of its user; asks the user nothing and tries nothing.
package protocol DeviceLock: Sendable {
    /// How it stands now.
    func status() async -> DeviceLockStatus
}

/// A device that does not tell.
package struct UntoldDeviceLock: DeviceLock {
    /// Knows nothing.
    package init() {}

    package func status() async -> DeviceLockStatus { .unknown }
}
