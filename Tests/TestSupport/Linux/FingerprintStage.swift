import Foundation
import Locking

/// Emulated machine with a fingerprint sensor, for one test.
///
/// It consists of a D-Bus of its own, a polkit that permits or denies everything, and fprintd with libfprint's virtual
/// sensor. Nothing of the system's is read or changed.
///
/// Needs Debian's packages `fprintd`, `dbus` and `python3-dbusmock`; tests check ``isInstalled``. A process that is
/// started with ``environment`` uses this bus as the system bus.
package final class FingerprintStage: Sendable {
    /// Failure of the emulation, not of what is tested on it.
    package enum Failure: Error {
        case didNotStart(String)
        case didNotListen
        case tool(name: String, output: String)
    }

    /// Whether the emulation can run here.
    package static let isInstalled = programs.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) } && hasMock
    /// Message of a test that is skipped without the packages.
    package static let absence = "fprintd, dbus or python3-dbusmock are not installed; run script/bootstrap"

    private static let daemon = "/usr/libexec/fprintd"
    private static let bus = "/usr/bin/dbus-daemon"
    /// Python interpreter of the system, because another one would not find the module.
    private static let python = "/usr/bin/python3"
    private static let programs = [
        daemon, bus, python, "/usr/bin/fprintd-enroll", "/usr/bin/fprintd-delete", "/usr/bin/dbus-send",
    ]
    private static let hasMock = FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/dbusmock")

    /// Timeout for the start of each process, long enough for machines under load.
    private static let patience = Duration.seconds(600)

    private let folder: TemporaryFolder
    private let processes = Lock<[String: Process]>([:])

    /// Starts the machine; without `withService` there is a bus without fprintd.
    package init(withService: Bool = true) throws {
        folder = try TemporaryFolder()
        try Data(configuration.utf8).write(to: URL(filePath: folder.path + "/bus.conf"))
        try FileManager.default.createDirectory(atPath: folder.path + "/prints", withIntermediateDirectories: true)
        try start(Self.bus, ["--config-file=" + folder.path + "/bus.conf", "--nofork", "--nopidfile"])
        try wait(for: "dbus-daemon") { self.has("org.freedesktop.DBus") }
        guard withService else { return }
        try start(Self.python, ["-m", "dbusmock", "--template", "polkitd", "--system"])
        try wait(for: "polkitd") { self.has("org.freedesktop.PolicyKit1") }
        try permit(true)
        try startService()
    }

    deinit {
        for process in processes.withLock({ $0.values }) {
            process.terminate()
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    // MARK: - Where it is

    /// Address of the bus.
    package var busAddress: String { "unix:path=" + folder.path + "/bus" }

    /// Environment in which another process uses the bus as the system bus.
    package var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": busAddress] }

    private var configuration: String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
          "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <listen>\(busAddress)</listen>
          <policy context="default">
            <allow user="*"/><allow own="*"/><allow send_destination="*"/>
            <allow send_type="method_call"/><allow send_type="signal"/>
            <allow receive_type="method_call"/><allow receive_type="signal"/>
            <allow receive_type="method_return"/><allow receive_type="error"/>
          </policy>
        </busconfig>
        """
    }

    // MARK: - The service

    /// Starts fprintd with the enrolled prints.
    package func startService() throws {
        try start(
            Self.daemon, ["-t"],
            [
                "STATE_DIRECTORY": folder.path + "/prints", "FP_DRIVERS_WHITELIST": "virtual_device",
                "FP_VIRTUAL_DEVICE": folder.path + "/sensor",
            ])
        try wait(for: "fprintd") { self.has("net.reactivated.Fprint") }
    }

    /// Kills fprintd, as a crash would.
    package func killService() {
        guard let process = processes.withLock({ $0.removeValue(forKey: Self.daemon) }) else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Stops fprintd with a signal; it answers nothing until ``resumeService()``.
    package func pauseService() {
        processes.withLock { running in _ = running[Self.daemon].map { kill($0.processIdentifier, SIGSTOP) } }
    }

    /// Continues a paused fprintd.
    package func resumeService() {
        processes.withLock { running in _ = running[Self.daemon].map { kill($0.processIdentifier, SIGCONT) } }
    }

    /// Kills the bus under its clients.
    package func killBus() {
        guard let process = processes.withLock({ $0.removeValue(forKey: Self.bus) }) else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Starts a service in place of fprintd that offers a sensor and does not have it, as for a moment after it was pulled out.
    package func startServiceWithoutItsSensor() throws {
        let (service, manager) = ("net.reactivated.Fprint", "net.reactivated.Fprint.Manager")
        try start(Self.python, ["-m", "dbusmock", "--system", service, "/net/reactivated/Fprint/Manager", manager])
        try wait(for: "dbusmock") { self.has(service) }
        try tool(
            "/usr/bin/dbus-send", "--system", "--print-reply", "--dest=" + service, "/net/reactivated/Fprint/Manager",
            "org.freedesktop.DBus.Mock.AddMethod", "string:" + manager, "string:GetDefaultDevice", "string:",
            "string:o", "string:ret = dbus.ObjectPath('/net/reactivated/Fprint/Device/0')")
    }

    /// Lets polkit permit everything, or nothing.
    package func permit(_ isPermitted: Bool) throws {
        try tool(
            "/usr/bin/dbus-send", "--system", "--print-reply", "--dest=org.freedesktop.PolicyKit1",
            "/org/freedesktop/PolicyKit1/Authority", "org.freedesktop.DBus.Mock.AllowUnknown",
            "boolean:\(isPermitted)")
    }

    // MARK: - The sensor

    /// Enrols a finger of the account of the tests, by the name of the finger and a name for its print.
    package func enrol(_ finger: String, print: String) async throws {
        let enrolling = Process()
        enrolling.executableURL = URL(filePath: "/usr/bin/fprintd-enroll")
        enrolling.arguments = ["-f", finger, PAMStage.account]
        enrolling.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = Pipe()
        enrolling.standardOutput = output
        enrolling.standardError = output
        try ThreadSignals.unblocked { try enrolling.run() }
        // Scans that arrive before the sensor requests them are queued.
        for _ in 0..<5 { try await send("SCAN " + print) }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        enrolling.waitUntilExit()
        guard text.contains("enroll-completed") else { throw Failure.tool(name: "fprintd-enroll", output: text) }
    }

    /// Removes one finger of the account of the tests.
    package func remove(_ finger: String) throws {
        try tool("/usr/bin/fprintd-delete", PAMStage.account, "--finger", finger)
    }

    /// Presents a finger to the sensor, as long as it is wanted.
    package func scan(_ print: String, while isWanted: () -> Bool = { true }) async throws {
        try await send("SCAN " + print, while: isWanted)
    }

    /// Lets the sensor fail to read a finger; the number is libfprint's retry code.
    package func retry(_ number: Int) async throws { try await send("RETRY \(number)") }

    /// Lets the driver of the sensor fail; the number is libfprint's error code.
    package func fail(_ number: Int) async throws { try await send("ERROR \(number)") }

    /// Unplugs the sensor.
    package func unplug() async throws { try await send("UNPLUG") }

    /// Sends a command to the sensor, once it is open; each is a connection of its own.
    ///
    /// Suspends while it waits, because the code that opens the sensor may need the thread.
    package func send(_ command: String, while isWanted: () -> Bool = { true }) async throws {
        let start = ContinuousClock.now
        while isWanted(), ContinuousClock.now - start < Self.patience {
            if UnixSocket.send(command, to: folder.path + "/sensor") { return }
            try await Task.sleep(for: .milliseconds(2))
        }
        throw Failure.didNotListen
    }

    // MARK: - Processes

    private func start(_ program: String, _ arguments: [String], _ variables: [String: String] = [:]) throws {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            .merging(variables) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try ThreadSignals.unblocked { try process.run() }
        processes.withLock { $0[program] = process }
    }

    @discardableResult
    private func tool(_ program: String, _ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try ThreadSignals.unblocked { try process.run() }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure.tool(name: program, output: text) }
        return text
    }

    /// Whether a name is owned on the bus.
    private func has(_ name: String) -> Bool {
        let answer = try? tool(
            "/usr/bin/dbus-send", "--system", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
            "org.freedesktop.DBus.NameHasOwner", "string:" + name)
        return answer?.contains("boolean true") ?? false
    }

    private func wait(for name: String, until isThere: () -> Bool) throws {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < Self.patience {
            if isThere() { return }
            usleep(5_000)
        }
        throw Failure.didNotStart(name)
    }
}
