import CommandSupport
import Foundation
import Testing

@Suite("Programs beside a test")
struct ChildProcessTests {
    @Test("A program that has ended leaves no file open in the process that started it")
    func descriptors() async throws {
        let scratch = try TemporaryFolder(named: "signet-child")
        for round in 0..<20 {
            let process = try ChildProcess(
                URL(filePath: "/bin/echo"), ["round \(round)"], folder: scratch.url, name: "echo-\(round)")
            #expect(await process.ending().output == "round \(round)\n")
        }
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        let name = scratch.url.lastPathComponent
        #expect(open.filter { $0.contains(name) } == [])
    }

    @Test("A program blocks no signal, though the thread that starts it does")
    func signals() async throws {
        let scratch = try TemporaryFolder(named: "signet-child")
        let process = try startBlocked("/bin/grep", ["SigBlk:", "/proc/self/status"], in: scratch)
        #expect(await process.ending().output == "SigBlk:\t0000000000000000\n")
    }

    @Test("A program that is asked to stop ends by SIGTERM, though the thread that starts it blocks that")
    func stop() async throws {
        let scratch = try TemporaryFolder(named: "signet-child")
        // What a process ignores its children ignore, and another test may ignore SIGTERM at this moment.
        let process = try startBlocked(
            "/usr/bin/env", ["--default-signal=TERM", "/bin/sh", "-c", "echo ready; exec sleep 60"], in: scratch)
        while process.isRunning, process.output != "ready\n" { try await Task.sleep(for: .milliseconds(5)) }
        process.stop()
        #expect(await process.ending().code == 128 + SIGTERM)
    }

    /// Starts a program from a thread that blocks SIGTERM, as those that run tasks do.
    private func startBlocked(
        _ program: String, _ arguments: [String], in scratch: TemporaryFolder
    ) throws -> ChildProcess {
        var (signals, former) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        return try ChildProcess(URL(filePath: program), arguments, folder: scratch.url, name: "child")
    }
}
