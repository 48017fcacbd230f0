import CommandSupport
import DemoCommands
import Foundation
import Glibc
import TestSupport
import Testing

/// Health and metrics on a Unix socket, by the real program.
@Suite("Management listener on a Unix socket", .serialized)
struct ManagementSocketTests {
    /// Server that did not announce itself.
    private struct NotReady: Error { let complaints: String }

    private static let curl = URL(filePath: "/usr/bin/curl")
    private static let otherAccount = URL(filePath: "/usr/bin/setpriv")

    /// Whether another account can be tried.
    private static var canChangeAccount: Bool {
        geteuid() == 0 && FileManager.default.isExecutableFile(atPath: otherAccount.path())
    }

    private let scratch: CommandSupport.TemporaryFolder
    private let programs: Programs
    /// Socket in a folder that every account may enter.
    private let socket: URL

    init() throws {
        scratch = try CommandSupport.TemporaryFolder(named: "signet-socket")
        programs = try Installation.builtPrograms()
        let folder = scratch.url.appending(path: "run")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for url in [scratch.url, folder] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path())
        }
        socket = folder.appending(path: "m.sock")
    }

    private func start(access: String = "owner", data: String = "data") throws -> ChildProcess {
        let configuration = scratch.url.appending(path: "\(data)-\(access).yml")
        try Data("management: { server: { socket: \(socket.path()), socket-access: \(access) } }\n".utf8)
            .write(to: configuration)
        return try ChildProcess(
            programs.server,
            [
                "serve", "--config", configuration.path(), "--data-directory", scratch.url.appending(path: data).path(),
                "--port", "0", "--ready-file", readyFile.path(),
            ], folder: scratch.url, name: "server-\(UUID().uuidString.prefix(8))")
    }

    private var readyFile: URL { scratch.url.appending(path: "ready.json") }

    private func startedServer(access: String = "owner") async throws -> ChildProcess {
        try? FileManager.default.removeItem(at: readyFile)
        let server = try start(access: access)
        while !FileManager.default.fileExists(atPath: readyFile.path()) {
            guard server.isRunning else { throw NotReady(complaints: server.complaints) }
            try await Task.sleep(for: .milliseconds(20))
        }
        return server
    }

    /// The HTTP status of the health, or the exit code of curl as a negative number; `prefix` is a command that runs curl.
    private func health(through prefix: [String] = []) async throws -> Int {
        let words =
            prefix + [
                Self.curl.path(), "--silent", "--output", "/dev/null", "--write-out", "%{http_code}", "--unix-socket",
                socket.path(), "http://localhost/nevisfido/health",
            ]
        let ending = try await ChildProcess(
            URL(filePath: words[0]), Array(words.dropFirst()), folder: scratch.url,
            name: "curl-\(UUID().uuidString.prefix(8))"
        ).ending()
        return ending.code == 0 ? Int(ending.output) ?? 0 : -Int(ending.code)
    }

    private func metrics() async throws -> String {
        try await ChildProcess(
            Self.curl, ["--silent", "--fail", "--unix-socket", socket.path(), "http://localhost/metrics"],
            folder: scratch.url, name: "curl-\(UUID().uuidString.prefix(8))"
        ).ending().output
    }

    private var mode: Int? {
        (try? FileManager.default.attributesOfItem(atPath: socket.path()))?[.posixPermissions] as? Int
    }

    @Test("It answers its own account; it is announced, and removed at the end")
    func own() async throws {
        let server = try await startedServer()
        defer { server.kill() }
        #expect(try await health() == 200)
        #expect(mode == 0o600)
        let announcement = try String(contentsOf: readyFile, encoding: .utf8)
        #expect(
            announcement.contains(#""managementSocket":"\#(socket.path())""#)
                && !announcement.contains("managementPort"))
        server.stop()
        #expect(await server.ending().code == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: socket.deletingLastPathComponent().path())
        #expect(left == ["m.sock.lock"])
    }

    @Test(
        "Another account gets no connection; one of the group does where the group may", .enabled(if: canChangeAccount))
    func others() async throws {
        let stranger = [Self.otherAccount.path(), "--reuid=65534", "--regid=65534", "--clear-groups"]
        let member = [Self.otherAccount.path(), "--reuid=65534", "--regid=\(getegid())", "--clear-groups"]
        var server = try await startedServer()
        #expect(try await health() == 200)
        #expect(try await [health(through: stranger), health(through: member)] == [-7, -7])
        server.stop()
        _ = await server.ending()
        server = try await startedServer(access: "group")
        defer { server.kill() }
        #expect(mode == 0o660)
        #expect(try await [health(through: stranger), health(through: member)] == [-7, 200])
    }

    @Test("All metrics are what Prometheus' format allows, with a text for each; process and version are among them")
    func exposition() async throws {
        let server = try await startedServer()
        defer { server.kill() }
        let exposition = try Exposition(try await metrics())
        #expect(exposition.families.filter { $0.help == nil }.map(\.name) == [])
        for name in [
            "process_cpu_seconds_total", "process_max_fds", "process_open_fds", "process_resident_memory_bytes",
            "process_start_time_seconds", "signet_build_info", "signet_certificate_not_after_seconds",
        ] {
            let values = try #require(exposition.family(name), "\(name) is missing").values
            #expect(values.allSatisfy { $0.value > 0 }, "\(name)")
        }
        let start = try #require(exposition.family("process_start_time_seconds")?.values.values.first)
        #expect(abs(start - Date().timeIntervalSince1970) < 600)
    }

    @Test("The socket of a killed server is replaced; the socket of a server that runs is not, nor is any other file")
    func taken() async throws {
        let killed = try await startedServer()
        killed.kill()
        _ = await killed.ending()
        #expect(mode == 0o600)
        let server = try await startedServer()
        defer { server.kill() }
        #expect(try await health() == 200)

        let second = await (try start(data: "other")).ending()
        #expect(second.code == 2)
        #expect(second.complaints.contains("another program listens on it"), "\(second.complaints)")
        #expect(try await health() == 200)

        server.stop()
        _ = await server.ending()
        try Data("mine".utf8).write(to: socket)
        let third = await (try start()).ending()
        #expect(third.code == 2)
        #expect(third.complaints.contains("something that is no socket is there"), "\(third.complaints)")
        #expect(try String(contentsOf: socket, encoding: .utf8) == "mine")
    }
}
