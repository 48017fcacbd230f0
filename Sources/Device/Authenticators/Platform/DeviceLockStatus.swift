/// Whether a device locks itself with a secret of its user.
package enum DeviceLockStatus: Hashable, Sendable {
    /// It does.
    case present
    /// It does not: whoever has the device is in.
    case absent
    /// Nobody can tell, as on Linux; keys work then.
    case unknown
}
