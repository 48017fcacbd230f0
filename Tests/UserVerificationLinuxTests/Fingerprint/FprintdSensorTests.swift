import HardwareKeys
import TestSupport
import Testing
import UserVerificationLinux

@Suite(
    "Fingerprint through fprintd (4.1), with the virtual sensor on a bus of its own",
    .enabled(if: FingerprintStage.isInstalled, "\(FingerprintStage.absence)"))
struct FprintdSensorTests {
    private let stage: FingerprintStage
    private let problems = Problems()

    init() throws {
        stage = try FingerprintStage()
    }

    private func sensor(
        scanLimit: Duration = .seconds(60), callLimit: Duration = .seconds(20)
    ) -> FprintdSensor {
        let problems = problems
        return FprintdSensor(bus: BusAddress(stage.busAddress), scanLimit: scanLimit, callLimit: callLimit) {
            problems.add($0)
        }
    }

    /// A scan that finds an enrolled finger: the sensor is free and works.
    private func requireMatch() async throws {
        let scan = try await RunningScan.ready(sensor())
        try await stage.scan("print-1")
        #expect(await scan.failure == nil)
    }

    @Test("An enrolled finger matches, another one does not")
    func matchAndMismatch() async throws {
        try await stage.enrol("right-index-finger", print: "print-1")
        try await requireMatch()
        let scan = try await RunningScan.ready(sensor())
        try await stage.scan("print-2")
        #expect(await scan.failure == .mismatch)
        try await requireMatch()
        #expect(problems.all.isEmpty)
    }

    @Test("A finger that could not be read is progress, not failure")
    func retries() async throws {
        try await stage.enrol("right-index-finger", print: "print-1")
        let scan = try await RunningScan.ready(sensor())
        let reasons: [ScanProgress.Reason] = [.scanAgain, .swipeTooShort, .notCentered, .liftFinger]
        for (number, reason) in reasons.enumerated() {
            try await stage.retry(number)
            #expect(await scan.next() == .retry(reason))
        }
        try await stage.scan("print-1")
        #expect(await scan.failure == nil)
    }

    @Test("A sensor that is pulled out ends the scan, and is absent then")
    func unplugged() async throws {
        try await stage.enrol("right-index-finger", print: "print-1")
        let scan = try await RunningScan.ready(sensor())
        try await stage.unplug()
        #expect(await scan.failure == .unavailable)
        #expect(problems.all == [.sensorDisconnected])
        // The service ends the scan before it takes the sensor off its list.
        let end = ContinuousClock.now + .seconds(600)
        while try await sensor().status() != .absent, .now < end { try await Task.sleep(for: .milliseconds(10)) }
        #expect(try await sensor().status() == .absent)
    }

    @Test("A finger added or removed changes the digest")
    func enrolmentChange() async throws {
        #expect(try await sensor().status() == .empty)
        try await stage.enrol("right-index-finger", print: "print-1")
        let one = try await sensor().status()
        #expect(one == .enrolled(EnrolledFingers(names: ["right-index-finger"])))
        try await stage.enrol("left-thumb", print: "print-2")
        let two = try await sensor().status()
        #expect(two == .enrolled(EnrolledFingers(names: ["right-index-finger", "left-thumb"])))
        try stage.remove("left-thumb")
        #expect(try await sensor().status() == one)
    }

    @Test("Without an enrolled finger no question is asked")
    func nothingEnrolled() async throws {
        let scan = RunningScan(sensor())
        #expect(await scan.failure == .unavailable)
        #expect(await scan.next() == nil)
        #expect(problems.all == [.nothingEnrolled])
    }

    @Test("Who may not use the sensor is told so")
    func denied() async throws {
        try await stage.enrol("right-index-finger", print: "print-1")
        try stage.permit(false)
        #expect(await RunningScan(sensor()).failure == .unavailable)
        #expect(problems.all == [.permissionDenied])
        #expect(try await sensor().status() == .absent)
    }

    @Test("A service that dies in the middle ends the scan; its successor serves the next")
    func daemonDies() async throws {
        try await stage.enrol("right-index-finger", print: "print-1")
        let scan = try await RunningScan.ready(sensor())
        stage.killService()
        #expect(await scan.failure == .notResponding)
        #expect(problems.all == [.fingerprintServiceFailed(name: "gone")])
        try stage.startService()
        try await requireMatch()
    }

    @Test("A bus that dies in the middle ends the scan")
    func busDies() async throws {
        try await stage.enrol("right-index-finger", print: "print-1")
        let scan = try await RunningScan.ready(sensor())
        stage.killBus()
        #expect(await scan.failure == .notResponding)
        await #expect(throws: UserPresenceError.notResponding) { _ = try await sensor().status() }
    }

    @Test("A cancelled scan has released the sensor when it returns: it can be paused and resumed")
    func cancelled() async throws {
        try await stage.enrol("right-index-finger", print: "print-1")
        for _ in 0..<3 {
            let scan = try await RunningScan.ready(sensor())
            scan.cancel()
            #expect(await scan.failure == .cancelled)
        }
        try await requireMatch()
        #expect(problems.all.isEmpty)
    }

    @Test("A second client hears that the sensor is in use, and the first goes on")
    func inUse() async throws {
        try await stage.enrol("right-index-finger", print: "print-1")
        let first = try await RunningScan.ready(sensor())
        #expect(await RunningScan(sensor()).failure == .notResponding)
        #expect(problems.all == [.sensorInUse])
        try await stage.scan("print-1")
        #expect(await first.failure == nil)
    }

    @Test("A scan without a finger ends when its time is over, and the sensor is free")
    func timeLimit() async throws {
        try await stage.enrol("right-index-finger", print: "print-1")
        #expect(await RunningScan(sensor(scanLimit: .milliseconds(100))).failure == .notResponding)
        try await requireMatch()
    }

    @Test("A service that hangs is given up")
    func hangingService() async throws {
        stage.pauseService()
        defer { stage.resumeService() }
        #expect(await RunningScan(sensor(callLimit: .milliseconds(100))).failure == .notResponding)
        await #expect(throws: UserPresenceError.notResponding) {
            _ = try await sensor(callLimit: .milliseconds(100)).status()
        }
    }

    @Test("A driver that fails ends the scan, and the next one works")
    func driverFails() async throws {
        try await stage.enrol("right-index-finger", print: "print-1")
        let scan = try await RunningScan.ready(sensor())
        try await stage.fail(0)
        #expect(await scan.failure == .notResponding)
        #expect(problems.all == [.fingerprintServiceFailed(name: "verify-unknown-error")])
        try await requireMatch()
    }
}
