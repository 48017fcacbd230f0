import HardwareKeys

/// Why a visit to the sensor ended without a match.
enum SensorFailure: Error, Hashable, Sendable {
    case refused(UserPresenceError)
    case impossible(VerificationProblem)

    /// What fprintd says of every failure of a driver.
    static let driver = SensorFailure.impossible(.fingerprintServiceFailed(name: "verify-unknown-error"))

    init(_ failure: BusFailure) {
        self =
            switch failure {
            case .refused(let name): .impossible(FprintdName.problem(name))
            case .unreachable(let code): .impossible(.busUnreachable(code: code))
            case .interrupted: .refused(.cancelled)
            case .timedOut: .refused(.notResponding)
            case .untrusted(let uid): .impossible(.fingerprintServiceUntrusted(uid: uid))
            case .malformed: .impossible(.fingerprintServiceFailed(name: "malformed answer"))
            }
    }
}
