public import HardwareKeys

/// The fingerprint sensor of a Linux machine, through fprintd on the system bus.
///
/// The match is made by the sensor or by fprintd, and what arrives here is a message of software: an administrator can
/// forge it, and no other account, for the bus is the system's and the service has to belong to the administrator.
/// Debug builds believe the account of the process as well. Only fingers of the account that runs this process count.
///
/// Every call is a session with its own connection and thread. The sensor is claimed for the length of a scan, and
/// released whether it ends by a match, an error, a cancelled task or the end of this process.
///
/// ```swift
/// let sensor = FprintdSensor { problem in window.show(problem.description) }
/// guard case .enrolled(let fingers) = try await sensor.status() else { return nil }
/// try await sensor.scan { progress in
///     if progress == .ready { window.show("Touch the sensor") }
/// }
/// ```
public struct FprintdSensor: BiometricSensor {
    private let address: BusAddress
    private let owners: ServiceOwners
    private let scanLimit: Duration
    private let callLimit: Duration
    private let report: @Sendable (VerificationProblem) -> Void

    /// Takes the bus, how long a scan waits for a finger, and how long the service may think about a call.
    ///
    /// `report` hears what is wrong with the set-up of the machine, on any thread.
    public init(
        bus address: BusAddress = .system, scanLimit: Duration = .seconds(240), callLimit: Duration = .seconds(5),
        report: @escaping @Sendable (VerificationProblem) -> Void = { _ in }
    ) {
        self.init(bus: address, of: .trusted, scanLimit: scanLimit, callLimit: callLimit, report: report)
    }

    init(
        bus address: BusAddress, of owners: ServiceOwners, scanLimit: Duration, callLimit: Duration,
        report: @escaping @Sendable (VerificationProblem) -> Void
    ) {
        self.address = address
        self.owners = owners
        self.scanLimit = scanLimit
        self.callLimit = callLimit
        self.report = report
    }

    /// Present status of the sensor for the account of this process; querying it never prompts the user.
    ///
    /// Throws `UserPresenceError.notResponding` when the bus or the service does not answer.
    public func status() async throws(UserPresenceError) -> SensorStatus {
        do throws(SensorFailure) {
            return try await SensorSession(address, of: owners, callLimit: callLimit).status()
        } catch {
            throw presenceError(error)
        }
    }

    /// Claims the sensor, waits for an enrolled finger, and releases the sensor before it returns.
    ///
    /// Throws `UserPresenceError` as ``BiometricSensor/scan(_:)`` says. A cancelled task ends the wait
    /// for a finger at once; the calls that release the sensor follow.
    public func scan(
        _ progress: @escaping @Sendable (ScanProgress) -> Void = { _ in }
    ) async throws(UserPresenceError) {
        let interruption = Interruption()
        let session = SensorSession(address, of: owners, callLimit: callLimit)
        let deadline = ContinuousClock.now + scanLimit
        let failure = await withTaskCancellationHandler { () async -> SensorFailure? in
            do throws(SensorFailure) {
                try await session.scan(until: deadline, unless: interruption, progress)
                return nil
            } catch {
                return error
            }
        } onCancel: {
            interruption.raise()
        }
        if let failure { throw presenceError(failure) }
    }

    private func presenceError(_ failure: SensorFailure) -> UserPresenceError {
        switch failure {
        case .refused(let error): return error
        case .impossible(let problem):
            report(problem)
            return problem.presenceError
        }
    }
}
