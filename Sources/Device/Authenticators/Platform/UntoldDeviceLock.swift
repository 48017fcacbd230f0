/// A device that does not tell.
package struct UntoldDeviceLock: DeviceLock {
    /// Knows nothing.
    package init() {}

    package func status() async -> DeviceLockStatus { .unknown }
}
