import CommandSupport
import DemoCommands
import Foundation
import Glibc
import Testing

@Suite("S-L7: a server that may open few files")
struct OpenFilesTests {
    /// A script that runs the server with a hard limit of open files.
    private static func launcher(_ limit: Int) -> (URL, URL) throws -> URL {
        { scratch, server in
            let file = scratch.appending(path: "server-with-few-files")
            try Data("#!/bin/sh\nulimit -n \(limit)\nexec \(server.path()) \"$@\"\n".utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path())
            return file
        }
    }

    @Test("It does not start where no connection fits, and says what to raise", arguments: [16, 34, 256])
    func refused(limit: Int) async throws {
        let installation = try Installation(runningServerBy: Self.launcher(limit))
        let failure = await #expect(throws: CommandFailure.self) { try await installation.server.start().kill() }
        let message = try #require(failure?.message)
        #expect(message.contains("ended with code 2"), "\(message)")
        #expect(message.contains("open \(limit) files") && message.contains("LimitNOFILE"), "\(message)")
    }

    @Test("It takes as many connections as fit, keeps what the rest needs, and serves when they have gone")
    func crowded() async throws {
        // Forty fit, a quarter of them from one address; further ones are closed at once.
        let installation = try Installation(runningServerBy: Self.launcher(296))
        let server = try await installation.server.start()
        defer { server.kill() }
        let (phone, registration) = try await installation.registered("anna")
        #expect(registration.isDone, "\(registration.message)")
        let port = try #require(URL(string: installation.server.address)?.port)
        let connections = (0..<400).map { _ in Self.connection(to: port) }
        #expect(connections.allSatisfy { $0 >= 0 })
        let clock = ContinuousClock()
        // Well before the time at which the server closes what says nothing.
        let end = clock.now + .seconds(20)
        while Self.ended(connections) < 380, clock.now < end { try await Task.sleep(for: .milliseconds(20)) }
        #expect(Self.ended(connections) >= 380)
        let descriptors = "/proc/\(server.identifier)/fd"
        let count = try FileManager.default.contentsOfDirectory(atPath: descriptors).count
        #expect(count < 200, "\(count)")
        for connection in connections { close(connection) }
        let outcome = try await installation.authenticate(phone, "anna")
        #expect(outcome.isDone, "\(outcome.message)")
    }

    /// Number of connections that the server has ended.
    private static func ended(_ connections: [Int32]) -> Int {
        var polled = connections.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        return Int(max(0, poll(&polled, nfds_t(polled.count), 0)))
    }

    /// Descriptor of a connection to a port of loopback, over which nothing is sent; negative when there is none.
    private static func connection(to port: Int) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = in_port_t(port).bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return result == 0 ? descriptor : -1
    }
}
