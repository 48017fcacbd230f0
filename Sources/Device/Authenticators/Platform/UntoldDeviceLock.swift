package import HardwareKeys

/// A device that does not tell whether it locks itself.
package struct UntoldDeviceLock: DeviceLock {
    package init() {}

    package func status() async -> DeviceLockStatus { .unknown }
}
