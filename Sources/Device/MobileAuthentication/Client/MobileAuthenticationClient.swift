/// The entry to everything the SDK does; made once per start of an application and kept.
public protocol MobileAuthenticationClient: Sendable {
    /// What can be done together with a server.
    var operations: any Operations { get }
    /// What is stored on this device.
    var localData: any LocalData { get }
    /// What the device offers to protect keys.
    var deviceCapabilities: DeviceCapabilities { get }
}
