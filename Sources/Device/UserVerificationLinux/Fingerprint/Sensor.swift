import HardwareKeys

/// Session with fprintd: one connection and one thread, from the first call to the last.
///
/// Nothing survives it. What it claims it releases, and where that is not possible any more the end of the connection
/// does so.
actor SensorSession {
    private nonisolated let thread = BlockingThread()
    private let address: BusAddress
    private let owners: ServiceOwners
    private let callLimit: Duration

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ address: BusAddress, of owners: ServiceOwners, callLimit: Duration) {
        self.address = address
        self.owners = owners
        self.callLimit = callLimit
    }

    func status() throws(SensorFailure) -> SensorStatus {
        do throws(SensorFailure) {
            let fingers = try device().enrolledFingers()
            return fingers.names.isEmpty ? .empty : .enrolled(fingers)
        } catch {
            switch error {
            case .impossible(.fingerprintServiceAbsent): return .unsupported
            case .impossible(.sensorAbsent), .impossible(.permissionDenied): return .absent
            case .impossible(.nothingEnrolled): return .empty
            default: throw error
            }
        }
    }

    func scan(
        until deadline: ContinuousClock.Instant, unless interruption: Interruption,
        _ progress: @Sendable (ScanProgress) -> Void
    ) throws(SensorFailure) {
        if interruption.isRaised { throw .refused(.cancelled) }
        let device = try device()
        try device.subscribe()
        try device.claimed { () throws(SensorFailure) in
            try device.verifying { () throws(SensorFailure) in
                progress(.ready)
                try device.awaitMatch(until: deadline, unless: interruption, progress)
            }
        }
    }

    private func device() throws(SensorFailure) -> FprintdDevice {
        do throws(BusFailure) {
            let connection = try BusConnection(address, callLimit: callLimit)
            return try FprintdDevice.preferred(on: connection, of: owners)
        } catch {
            throw SensorFailure(error)
        }
    }
}

/// Reason why the use of a sensor ended without a match.
enum SensorFailure: Error, Hashable, Sendable {
    case refused(UserPresenceError)
    case impossible(VerificationProblem)

    /// Failure that fprintd reports for every error of a driver.
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

/// Present usability of a sensor, found out without asking the user.
@nonexhaustive
public enum SensorStatus: Hashable, Sendable {
    /// The operating system has no service for it.
    case unsupported
    /// There is no sensor, or this process may not use it.
    case absent
    /// There is a sensor, but the account has enrolled nothing.
    case empty
    /// These fingers are enrolled.
    case enrolled(EnrolledFingers)
}
