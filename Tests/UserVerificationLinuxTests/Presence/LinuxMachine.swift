import HardwareKeys
import TestSupport
import Testing
import UserVerificationLinux

/// A machine with a sensor and a passcode of its own for one test, and the user in front of it.
struct LinuxMachine {
    /// Tests without the programs are skipped and say so.
    static let requirement = ConditionTrait.enabled(
        if: FingerprintStage.isInstalled && PAMStage.isInstalled,
        "\(FingerprintStage.isInstalled ? PAMStage.absence : FingerprintStage.absence)")

    let fingers: FingerprintStage
    let services: PAMStage
    let dialog = ScriptedFingerDialog()
    let entry = TypedPasscode("right")

    init() throws {
        fingers = try FingerprintStage()
        services = try PAMStage()
        try services.add("signet", taking: "right")
    }

    var sensor: FprintdSensor { FprintdSensor(bus: BusAddress(fingers.busAddress)) }

    var service: PAMService {
        get throws { try #require(PAMService(name: "signet", folder: services.folder)) }
    }

    /// The user, as an application is given him.
    var user: LinuxUserPresence {
        get throws { try user(typing: entry) }
    }

    func user(typing entry: TypedPasscode) throws -> LinuxUserPresence {
        LinuxUserPresence(
            sensor: sensor, dialog: dialog, passcode: PAMPasscode(service: try service, entry: entry))
    }

    /// Puts a finger on the sensor once it listens, while `work` waits for the user.
    func giving<Value: Sendable>(
        _ print: String, to work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let waiting = Task { try await work() }
        await dialog.listening()
        try await fingers.scan(print)
        return try await waiting.value
    }
}
