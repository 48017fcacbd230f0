import Foundation
import HardwareKeys
import TestSupport
import Testing

@testable import UserVerificationLinux

@Suite("D-L8: whose word counts for a finger")
struct ServiceOwnerTests {
    @Test(
        "D-L8: a service of another account than the trusted ones is not believed, whatever it says",
        .enabled(if: FingerprintStage.isInstalled, "\(FingerprintStage.absence)"))
    func foreignService() async throws {
        let stage = try FingerprintStage()
        try await stage.enrol("right-index-finger", print: "print-1")
        let problems = Problems()
        func sensor(_ owners: ServiceOwners) -> FprintdSensor {
            FprintdSensor(
                bus: BusAddress(stage.busAddress), of: owners, scanLimit: .seconds(60), callLimit: .seconds(20)
            ) { problems.add($0) }
        }
        let mine = geteuid()
        guard case .enrolled = try await sensor(ServiceOwners([mine])).status() else {
            Issue.record("the service of the trusted account is not believed")
            return
        }
        let other = sensor(ServiceOwners([mine + 1]))
        await #expect(throws: UserPresenceError.unavailable) { try await other.status() }
        await #expect(throws: UserPresenceError.unavailable) { try await other.scan() }
        #expect(problems.all == [.fingerprintServiceUntrusted(uid: mine), .fingerprintServiceUntrusted(uid: mine)])
        #expect(try #require(problems.all.first).description.contains("\(mine)"))
    }

    @Test("D-L8: the bus of the system lies where the system has it; a debug build looks into the environment first")
    func address() {
        #expect(BusAddress.system(in: nil) == BusAddress("unix:path=/run/dbus/system_bus_socket"))
        #expect(BusAddress.system(in: "unix:path=/tmp/bus") == BusAddress("unix:path=/tmp/bus"))
        #if DEBUG
            #expect(ServiceOwners.trusted == ServiceOwners([0, geteuid()]))
        #else
            #expect(BusAddress.system == BusAddress.system(in: nil))
            #expect(ServiceOwners.trusted == ServiceOwners([0]))
        #endif
    }
}
