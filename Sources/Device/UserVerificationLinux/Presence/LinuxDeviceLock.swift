package import HardwareKeys

/// Linux does not tell whether its account has a passcode, and finding out would be a silent try at PAM.
package struct LinuxDeviceLock: DeviceLock {
    package init() {}

    package func status() async -> DeviceLockStatus { .unknown }
}
