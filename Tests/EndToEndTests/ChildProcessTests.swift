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
}
