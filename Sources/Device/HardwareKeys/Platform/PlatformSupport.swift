/// The support of a device for one way of verification.
public struct PlatformSupport: Hashable, Sendable {
    /// Nothing is there.
    public static let absent = PlatformSupport(
        isSupportedByHardware: false, isSupportedByOs: false, isEnrolled: false)
    /// All that is needed is there and enrolled.
    public static let complete = PlatformSupport(
        isSupportedByHardware: true, isSupportedByOs: true, isEnrolled: true)

    /// Whether the device has what it needs (a sensor).
    public let isSupportedByHardware: Bool
    /// Whether the operating system offers it to applications.
    public let isSupportedByOs: Bool
    /// Whether the user has enrolled something (fingers, a face, a passcode).
    public let isEnrolled: Bool
    /// Whether the sensor is one of class 3 as Android counts them; keys on weaker ones need
    /// an option of the registration.
    public let isStrong: Bool

    /// States a support.
    public init(isSupportedByHardware: Bool, isSupportedByOs: Bool, isEnrolled: Bool, isStrong: Bool = true) {
        self.isSupportedByHardware = isSupportedByHardware
        self.isSupportedByOs = isSupportedByOs
        self.isEnrolled = isEnrolled
        self.isStrong = isStrong
    }
}
