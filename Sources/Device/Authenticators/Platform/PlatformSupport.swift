/// How a device supports one kind of authenticator.
package struct PlatformSupport: Hashable, Sendable {
    /// Nothing is there.
    package static let absent = PlatformSupport(
        isSupportedByHardware: false, isSupportedByOs: false, isEnrolled: false)
    /// All that is needed is there and enrolled.
    package static let complete = PlatformSupport(
        isSupportedByHardware: true, isSupportedByOs: true, isEnrolled: true)

    /// Whether the device has what the kind needs (a sensor).
    package let isSupportedByHardware: Bool
    /// Whether the operating system offers the kind to applications.
    package let isSupportedByOs: Bool
    /// Whether the user has enrolled something (fingers, a face, a passcode).
    package let isEnrolled: Bool
    /// Whether the sensor is one of class 3 as Android counts them; keys on weaker ones need
    /// ``VerificationOptions/allowsClass2Sensors``.
    package let isStrong: Bool

    /// States a support.
    package init(isSupportedByHardware: Bool, isSupportedByOs: Bool, isEnrolled: Bool, isStrong: Bool = true) {
        self.isSupportedByHardware = isSupportedByHardware
        self.isSupportedByOs = isSupportedByOs
        self.isEnrolled = isEnrolled
        self.isStrong = isStrong
    }
}
