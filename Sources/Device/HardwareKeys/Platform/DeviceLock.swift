/// Whether a device locks itself with a secret of its user.
@nonexhaustive
public enum DeviceLockStatus: Hashable, Sendable {
    /// It does.
    case present
    /// It does not: the device opens to everyone who holds it.
    case absent
    /// Not known, as on Linux for an account whose password is kept elsewhere; keys work then.
    case unknown
}

/// The lock of the device, such as its passcode; asks the user nothing and tries nothing.
public protocol DeviceLock: Sendable {
    /// Present status of the device lock.
    func status() async -> DeviceLockStatus
}
