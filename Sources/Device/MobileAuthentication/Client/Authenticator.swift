/// One kind of authenticator of this device, registered or not.
public protocol Authenticator: Encodable, Equatable, Sendable {
    /// The AAID, for example `F1D0#1001`.
    var aaid: String { get }
    /// For which accounts the authenticator is registered.
    var registration: any RegistrationInfo { get }
    /// Whether the user has enrolled in it: ``SdkUserEnrollment`` or ``OsUserEnrollment``.
    var userEnrollment: any UserEnrollment { get }
    /// Whether the device has the hardware for it.
    var isSupportedByHardware: Bool { get }
    /// Whether the version of the operating system supports it.
    var isSupportedByOs: Bool { get }
}
