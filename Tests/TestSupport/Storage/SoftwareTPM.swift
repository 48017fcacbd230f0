import Foundation
import Glibc
package import HardwareKeysTPM
import Synchronization

/// A TPM in software of its own for one test: a process with its state in a temporary folder, ended with the value.
///
/// Debian's packages `swtpm` and `tpm2-tools` have to be there; tests ask ``isInstalled``. The tools of the second act
/// as everybody else on the machine: the owner, another program, an attacker.
package final class SoftwareTPM: Sendable {
    /// What goes wrong with the process, not with the TPM.
    package enum Failure: Error {
        case didNotStart
        case tool(name: String, status: Int32, output: String)
    }

    /// Whether a TPM in software can run here.
    package static let isInstalled = path(of: "swtpm") != nil && path(of: "tpm2_getcap") != nil
    /// What a test says that is skipped.
    package static let absence = "swtpm and tpm2-tools are not installed; run script/bootstrap"

    private let folder: TemporaryFolder
    private let process = Mutex<Process?>(nil)

    /// Starts a fresh TPM.
    package init() throws {
        // The library writes every refusal to the standard error otherwise; the first to ask wins.
        TPMLibraryLog.silence()
        folder = try TemporaryFolder()
        try start()
    }

    deinit {
        kill()
    }

    /// The name of the connection (TCTI).
    package var connectionName: String { "swtpm:path=" + socketPath }
    /// How a vault reaches it.
    package var connection: TPMConnection { TPMConnection(connectionName) }

    private var socketPath: String { folder.path + "/sock" }

    // MARK: - Process

    /// Starts the process on the state that is there; one that runs goes on.
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
        try started.run()
        process.withLock { $0 = started }
        // Two minutes, for machines that do much else meanwhile.
        for _ in 0..<120_000 {
            if Self.isListening(socketPath), Self.isListening(socketPath + ".ctrl") { return }
            usleep(1_000)
        }
        throw Failure.didNotStart
    }

    /// Whether somebody takes connections at a socket of the file system.
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

    /// Ends the process in the middle of whatever it does: a power cut.
    package func kill() {
        guard let running = process.withLock({ $0.take() }) else { return }
        Foundation.kill(running.processIdentifier, SIGKILL)
        running.waitUntilExit()
    }

    /// Holds the process where it is; it answers nothing until ``resume()``.
    package func pause() {
        process.withLock { running in _ = running.map { Foundation.kill($0.processIdentifier, SIGSTOP) } }
    }

    /// Lets a held process go on.
    package func resume() {
        process.withLock { running in _ = running.map { Foundation.kill($0.processIdentifier, SIGCONT) } }
    }

    /// Shuts the TPM down as a machine does that is switched off.
    package func stop() throws {
        try tool("tpm2_shutdown", "-c")
        kill()
    }

    /// A power cut and a new start.
    package func restart() throws {
        kill()
        try start()
    }

    // MARK: - State

    /// The whole state of the switched-off TPM, for ``replaceState(with:)``.
    package func snapshot() throws -> [String: [UInt8]] {
        let names = try folder.names().filter { $0.hasSuffix(".permall") || $0.hasSuffix(".volatilestate") }
        return Dictionary(uniqueKeysWithValues: try names.map { ($0, try folder.bytes(of: $0)) })
    }

    /// Gives the switched-off TPM another state; an empty one is that of a new chip.
    package func replaceState(with state: [String: [UInt8]]) throws {
        for name in try snapshot().keys { try FileManager.default.removeItem(atPath: folder.path + "/" + name) }
        for (name, bytes) in state { try Data(bytes).write(to: URL(filePath: folder.path + "/" + name)) }
    }

    /// Clears the chip as the menu of the firmware does.
    package func clear() throws {
        try tool("tpm2_clear", "-c", "p")
    }

    // MARK: - Everybody else

    /// Runs one of the tools against this TPM and returns what it prints.
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
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure.tool(name: name, status: process.terminationStatus, output: output)
        }
        return output
    }

    /// The numbers of the indices in the chip's memory.
    package func indices() throws -> [String] {
        try tool("tpm2_getcap", "handles-nv-index").split(separator: "\n").map { String($0.dropFirst(2)) }
    }

    /// What is loaded in the chip and should not be: objects, sessions.
    package func leftovers() throws -> String {
        try tool("tpm2_getcap", "handles-transient") + tool("tpm2_getcap", "handles-loaded-session")
            + tool("tpm2_getcap", "handles-saved-session")
    }

    /// Takes out what a killed process has left loaded, as the resource manager of a system does when a process ends.
    package func flushLeftovers() throws {
        for kind in ["-t", "-l", "-s"] { try tool("tpm2_flushcontext", kind) }
    }

    /// Puts a file into the folder in which the tools run.
    package func place(_ bytes: [UInt8], as name: String) throws {
        try Data(bytes).write(to: URL(filePath: folder.path + "/" + name))
    }

    private static func path(of program: String) -> URL? {
        let folders = ["/usr/bin", "/usr/local/bin", "/bin"]
        return folders.map { URL(filePath: $0 + "/" + program) }.first {
            FileManager.default.isExecutableFile(atPath: $0.path())
        }
    }
}
