import HardwareKeys

/// Rule that decides which keys end when the user removes the lock of the device.
///
/// iOS profile: all of them. Elsewhere: those that the lock itself opens. A device that does not tell counts as locked.
struct DeviceLockRule {
    private let lock: any DeviceLock

    init(_ lock: any DeviceLock) { self.lock = lock }

    /// Throws ``AuthenticatorError/noDeviceLock`` when a key of that kind needs a lock and there is none.
    func require(for kind: AuthenticatorKind, in profile: DeviceProfile) async throws(AuthenticatorError) {
        guard profile == .iOS || kind == .devicePasscode else { return }
        guard await lock.status() != .absent else { throw .noDeviceLock }
    }
}
