import Foundation
import Glibc
package import HardwareKeysTPM
import Locking

/// Software TPM for one test: a process with its state in a temporary folder, ended with the value.
///
/// Needs Debian's packages `swtpm` and `tpm2-tools`; tests check ``isInstalled``. The tools of the latter act as any
/// other party on the machine: the owner, another program, an attacker.
package final class SoftwareTPM: Sendable {
    /// Failure of the process, not of the TPM.
    package enum Failure: Error {
        case didNotStart
        case tool(name: String, status: Int32, output: String)
    }

    /// Whether a software TPM can run here.
    package static let isInstalled = path(of: "swtpm") != nil && path(of: "tpm2_getcap") != nil
    /// Message of a test that is skipped without the packages.
    package static let absence = "swtpm and tpm2-tools are not installed; run script/bootstrap"

    let folder: TemporaryFolder
    private let process = Lock<Process?>(nil)

    /// Starts a new TPM; one that is certified has endorsement keys with certificates, see ``endorsementRoot()``.
    package init(isCertified: Bool = false) throws {
        // The library writes every TPM error to standard error otherwise; its first caller decides.
        TPMLibraryLog.silence()
        folder = try TemporaryFolder()
        if isCertified { try certify() }
        try start()
    }

    deinit {
        kill()
    }

    /// Connection string (TCTI).
    package var connectionName: String { "swtpm:path=" + socketPath }
    /// Connection for a vault; the register of the account lies beside the state of the TPM.
    package var connection: TPMConnection {
        var connection = TPMConnection(connectionName)
        connection.stateDirectory = folder.path + "/account"
        return connection
    }

    private var socketPath: String { folder.path + "/sock" }

    // MARK: - Process

    /// Starts the process on the present state; one that runs continues.
    package func start() throws {
        guard process.withLock({ $0 == nil }) else { return }
        for name in ["/sock", "/sock.ctrl"] { try? FileManager.default.removeItem(atPath: folder.path + name) }
        let started = Process()
        started.executableURL = Self.path(of: "swtpm")
        started.arguments = [
            "socket", "--tpm2", "--tpmstate", "dir=" + folder.path, "--server", "type=unixio,path=" + socketPath,
            "--ctrl",
            "type=unixio,path=" + socketPath + ".ctrl", "--flags", "not-need-init,startup-clear",
        ]
        started.standardOutput = FileHandle.nullDevice
        started.standardError = FileHandle.nullDevice
        try ThreadSignals.unblocked { try started.run() }
        process.withLock { $0 = started }
        // Ten minutes, for machines under load.
        for _ in 0..<600_000 {
            if Self.isListening(socketPath), Self.isListening(socketPath + ".ctrl") { return }
            usleep(1_000)
        }
        throw Failure.didNotStart
    }

    /// Whether a Unix domain socket accepts connections.
    private static func isListening(_ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let length = MemoryLayout<sockaddr_un>.size
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(length)) == 0
            }
        }
    }

    /// Kills the process in the middle of its work, as a power loss does.
    package func kill() {
        guard let running = process.withLock({ $0.take() }) else { return }
        Foundation.kill(running.processIdentifier, SIGKILL)
        running.waitUntilExit()
    }

    /// Stops the process with a signal; it answers nothing until ``resume()``.
    package func pause() {
        process.withLock { running in _ = running.map { Foundation.kill($0.processIdentifier, SIGSTOP) } }
    }

    /// Continues a paused process.
    package func resume() {
        process.withLock { running in _ = running.map { Foundation.kill($0.processIdentifier, SIGCONT) } }
    }

    /// Shuts the TPM down in an orderly way, as a machine does that is switched off.
    package func stop() throws {
        try tool("tpm2_shutdown", "-c")
        kill()
    }

    /// Power loss and a new start.
    package func restart() throws {
        kill()
        try start()
    }

    // MARK: - State

    /// Whole state of the switched-off TPM, for ``replaceState(with:)``.
    package func snapshot() throws -> [String: [UInt8]] {
        let names = try folder.names().filter { $0.hasSuffix(".permall") || $0.hasSuffix(".volatilestate") }
        return Dictionary(uniqueKeysWithValues: try names.map { ($0, try folder.bytes(of: $0)) })
    }

    /// Replaces the state of the switched-off TPM; an empty one belongs to a new TPM.
    package func replaceState(with state: [String: [UInt8]]) throws {
        for name in try snapshot().keys { try FileManager.default.removeItem(atPath: folder.path + "/" + name) }
        for (name, bytes) in state { try Data(bytes).write(to: URL(filePath: folder.path + "/" + name)) }
    }

    /// Clears the TPM as the menu of the firmware does.
    package func clear() throws {
        try tool("tpm2_clear", "-c", "p")
    }

    // MARK: - Other parties

    /// Runs one of the tools against this TPM and returns its output.
    @discardableResult
    package func tool(_ name: String, _ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = Self.path(of: name)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging([
            "TPM2TOOLS_TCTI": connectionName, "TSS2_LOG": "all+NONE",
        ]) { $1 }
        process.currentDirectoryURL = URL(filePath: folder.path)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try ThreadSignals.unblocked { try process.run() }
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure.tool(name: name, status: process.terminationStatus, output: output)
        }
        return output
    }

    /// Numbers of the NV indices in the TPM.
    package func indices() throws -> [String] {
        try tool("tpm2_getcap", "handles-nv-index").split(separator: "\n").map { String($0.dropFirst(2)) }
    }

    /// Objects and sessions that are loaded in the TPM and should not be.
    package func leftovers() throws -> String {
        try tool("tpm2_getcap", "handles-transient") + tool("tpm2_getcap", "handles-loaded-session")
            + tool("tpm2_getcap", "handles-saved-session")
    }

    /// Flushes what a killed process has left loaded, as the system's resource manager does when a process exits.
    package func flushLeftovers() throws {
        for kind in ["-t", "-l", "-s"] { try tool("tpm2_flushcontext", kind) }
    }

    /// Writes a file into the folder in which the tools run.
    package func place(_ bytes: [UInt8], as name: String) throws {
        try Data(bytes).write(to: URL(filePath: folder.path + "/" + name))
    }

    /// Content of a file in the folder in which the tools run.
    package func bytes(_ name: String) throws -> [UInt8] {
        try folder.bytes(of: name)
    }

    static func path(of program: String) -> URL? {
        let folders = ["/usr/bin", "/usr/local/bin", "/bin"]
        return folders.map { URL(filePath: $0 + "/" + program) }.first {
            FileManager.default.isExecutableFile(atPath: $0.path())
        }
    }
}
