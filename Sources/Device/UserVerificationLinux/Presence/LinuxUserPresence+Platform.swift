public import HardwareKeys

extension LinuxUserPresence: PlatformPresence {
    /// The sensor and the service that verify the user as well.
    public var platform: any AuthenticatorPlatform {
        LinuxAuthenticatorPlatform(sensor: sensor, service: passcode.service)
    }

    /// The lock of a Linux account, of which nobody can tell.
    public var deviceLock: any DeviceLock { LinuxDeviceLock() }
}
