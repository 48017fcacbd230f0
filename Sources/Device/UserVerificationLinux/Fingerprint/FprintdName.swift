/// The names of fprintd's interface, and what its errors mean.
enum FprintdName {
    static let service = "net.reactivated.Fprint"
    static let managerPath = "/net/reactivated/Fprint/Manager"
    static let manager = "net.reactivated.Fprint.Manager"
    static let device = "net.reactivated.Fprint.Device"
    static let error = "net.reactivated.Fprint.Error."
    static let busError = "org.freedesktop.DBus.Error."

    /// What is wrong when a call was refused with an error of this name.
    static func problem(_ name: String) -> VerificationProblem {
        switch name {
        case error + "NoSuchDevice": .sensorAbsent
        case error + "AlreadyInUse": .sensorInUse
        case error + "NoEnrolledPrints": .nothingEnrolled
        case error + "PermissionDenied", busError + "AccessDenied": .permissionDenied
        case busError + "ServiceUnknown": .fingerprintServiceAbsent
        default: .fingerprintServiceFailed(name: name)
        }
    }
}
