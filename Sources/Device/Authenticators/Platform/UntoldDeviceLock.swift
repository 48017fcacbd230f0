package import HardwareKeys

/// A device that does not tell whether it locks itself.
package struct UntoldDeviceLock: DeviceLock {
    /// Creates a lock of unknown state.
    package init() {}

    package func status() async -> DeviceLockStatus { .unknown }
}
