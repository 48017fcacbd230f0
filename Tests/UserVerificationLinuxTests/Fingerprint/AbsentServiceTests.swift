import HardwareKeys
import TestSupport
import Testing
import UserVerificationLinux

@Suite("Fingerprint through fprintd (4.1), where there is none")
struct AbsentServiceTests {
    @Test(
        "A machine without fprintd does not support fingers",
        .enabled(if: FingerprintStage.isInstalled, "\(FingerprintStage.absence)"))
    func noService() async throws {
        let stage = try FingerprintStage(withService: false)
        let problems = Problems()
        let sensor = FprintdSensor(bus: BusAddress(stage.busAddress)) { problems.add($0) }
        #expect(try await sensor.status() == .unsupported)
        #expect(await RunningScan(sensor).failure == .unavailable)
        #expect(problems.all == [.fingerprintServiceAbsent])
    }

    @Test(
        "A sensor that goes between two calls is absent",
        .enabled(if: FingerprintStage.isInstalled, "\(FingerprintStage.absence)"))
    func goneBetweenCalls() async throws {
        let stage = try FingerprintStage(withService: false)
        try stage.startServiceWithoutItsSensor()
        let problems = Problems()
        let sensor = FprintdSensor(bus: BusAddress(stage.busAddress)) { problems.add($0) }
        #expect(try await sensor.status() == .absent)
        #expect(await RunningScan(sensor).failure == .unavailable)
        #expect(problems.all == [.sensorAbsent])
    }

    @Test(
        "A machine without a bus tells nothing",
        arguments: ["unix:path=/nonexistent/bus", "no address at all", "", "unix:"])
    func noBus(_ address: String) async throws {
        let sensor = FprintdSensor(bus: BusAddress(address))
        await #expect(throws: UserPresenceError.notResponding) { _ = try await sensor.status() }
        #expect(await RunningScan(sensor).failure == .notResponding)
    }

    @Test("The digest depends on the set of names and on nothing else")
    func digest() {
        let fingers = EnrolledFingers(names: ["b", "a", "b"])
        #expect(fingers == EnrolledFingers(names: ["a", "b"]))
        #expect(fingers.digest.count == 32)
        #expect(fingers.digest == EnrolledFingers(names: ["a", "b"]).digest)
        #expect(fingers.digest != EnrolledFingers(names: ["ab"]).digest)
        #expect(fingers.digest != EnrolledFingers(names: []).digest)
    }
}
