import CommandSupport
import DemoCommands
import Foundation
import Testing

@Suite("A server that may use one processor")
struct ProcessorAffinityTests {
    /// A script that runs the server on the first processor that this process may use.
    private static func launcher(scratch: URL, server: URL) throws -> URL {
        let file = scratch.appending(path: "server-on-one-processor")
        let script = """
            #!/bin/sh
            exec taskset --cpu-list "$(taskset --cpu-list --pid $$ | sed 's/.*: //; s/[-,].*//')" \(server.path()) "$@"

            """
        try Data(script.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path())
        return file
    }

    @Test("It has one event loop, and signs a phone in")
    func oneEventLoop() async throws {
        let installation = try Installation(runningServerBy: Self.launcher)
        let server = try await installation.server.start()
        defer { server.kill() }
        let (phone, registration) = try await installation.registered("anna")
        #expect(registration.isDone, "\(registration.message)")
        let outcome = try await installation.authenticate(phone, "anna")
        #expect(outcome.isDone, "\(outcome.message)")
        let threads = "/proc/\(server.identifier)/task"
        let names = try FileManager.default.contentsOfDirectory(atPath: threads).map { thread in
            String(decoding: FileManager.default.contents(atPath: "\(threads)/\(thread)/comm") ?? Data(), as: UTF8.self)
        }
        // swift-nio numbers the threads of the group that all of the process share.
        #expect(names.count { $0.hasPrefix("NIO-SGLTN-") } == 1, "\(names)")
    }
}
