import CommandSupport
import DemoCommands
import Foundation
import Glibc
import Testing

/// A disk in a mount namespace of its own.
private enum SmallDisk {
    /// Whatever was written did fit.
    struct Endless: Error {}

    /// Whether this process may mount a disk into a namespace of its own.
    static var canMount: Bool { geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare") }
}

/// A server whose data directory is a small disk of its own, which only root can mount.
@Suite(
    "A server whose disk is full", .serialized, .enabled(if: SmallDisk.canMount, "root on Linux mounts the disk"))
struct FullDiskTests {
    private static let patience = Duration.seconds(600)

    private let installation: Installation

    init() throws {
        installation = try Installation(runningServerBy: Self.launcher)
        try FileManager.default.createDirectory(
            at: dataFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    private var dataFolder: URL { installation.server.databaseFile.deletingLastPathComponent() }

    /// A script that runs the server on a disk of 3 MB that only it and what runs beside it see, and that goes with it.
    private static func launcher(scratch: URL, server: URL) throws -> URL {
        let file = scratch.appending(path: "server-on-small-disk")
        let number = scratch.appending(path: "number").path()
        let script = """
            #!/bin/sh
            if [ "$1" != serve ]; then
                exec nsenter --mount --target "$(cat \(number))" --wd=. \(server.path()) "$@"
            fi
            echo $$ > \(number)
            exec unshare --mount sh -c 'mount -t tmpfs -o size=3m,mode=700 none \(scratch.path())/server/data && \
            exec \(server.path()) "$@"' sh "$@"

            """
        try Data(script.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path())
        return file
    }

    /// A file of the disk, as other processes reach it.
    private func file(_ name: String, of server: ChildProcess) -> URL {
        URL(filePath: "/proc/\(server.identifier)/root\(dataFolder.path())/\(name)")
    }

    /// Lines of the log of a server with a text.
    private static func lines(of server: ChildProcess, _ text: String) -> [Substring] {
        server.complaints.split(separator: "\n").filter { $0.contains(text) }
    }

    /// Waits until the log of a server says that the database works again.
    private static func recovery(of server: ChildProcess) async throws {
        let clock = ContinuousClock()
        let end = clock.now + patience
        while !server.complaints.contains(#""message":"the database works again""#), clock.now < end {
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(server.complaints.contains(#""message":"the database works again""#))
    }

    /// Writes until nothing more fits.
    private func fill(_ disk: URL) throws {
        #expect(FileManager.default.createFile(atPath: disk.path(), contents: nil))
        let handle = try FileHandle(forWritingTo: disk)
        defer { try? handle.close() }
        let page = Data(repeating: 1, count: 4_096)
        for _ in 0..<1_024 {
            guard (try? handle.write(contentsOf: page)) != nil else { return }
        }
        throw SmallDisk.Endless()
    }

    /// Signs in until health says that the disk is full: a small write of the server itself may still fit, and ends that.
    private func expectDown(_ phone: PhoneProcess) async throws {
        let clock = ContinuousClock()
        let end = clock.now + Self.patience
        var health = try await installation.server.health()
        while health.status != 503, clock.now < end {
            _ = try await refusedSignIn(phone)
            health = try await installation.server.health()
        }
        #expect(health.status == 503 && health.text.contains(#""status":"DOWN""#), "\(health.text)")
        #expect(health.text.contains("the last write failed: the disk is full"), "\(health.text)")
    }

    @Test("O-H3, S-M6: health names the disk, phones get 503 and nothing is granted; with room it goes on by itself")
    func full() async throws {
        let server = try await installation.server.start()
        defer { server.kill() }
        let authority = installation.server.authorityFile
        try FileManager.default.createDirectory(
            at: authority.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(contentsOf: file("tls/ca.pem", of: server)).write(to: authority)
        let (phone, registration) = try await installation.registered("anna")
        #expect(registration.isDone, "\(registration.message)")
        #expect(try await installation.authenticate(phone, "anna").isDone)
        #expect(try await installation.server.health().status == 200)

        let filler = file("filler", of: server)
        try fill(filler)
        let answers = try await refusedSignIn(phone)
        #expect(
            answers.contains { $0.contains("503") && $0.localizedCaseInsensitiveContains("retry-after") }, "\(answers)")
        try await expectDown(phone)
        let refused = try await installation.authenticate(phone, "anna")
        #expect(
            !refused.isDone && refused.message.contains("The server cannot do this at the moment."),
            "\(refused.message)")
        let added = try await installation.server.administer("users add", ["-m", "a test"], names: ["fay"])
        #expect(!added.isDone && added.message.contains("Its log and"), "\(added.message)")
        let told = Self.lines(of: server, #""message":"the database fails""#)
        #expect(told.count == 1 && told.allSatisfy { $0.contains("cannot grow: the disk is full") }, "\(told)")
        #expect(
            try await Browser.status(ofLogIn: "anna", password: Installation.password, at: installation.server) == 503)
        #expect(server.isRunning)

        try FileManager.default.removeItem(at: filler)
        let clock = ContinuousClock()
        let end = clock.now + Self.patience
        while try await installation.server.health().status != 200, clock.now < end {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try await installation.server.health().status == 200)
        #expect(try await installation.authenticate(phone, "anna").isDone)
        #expect(try await installation.server.administer("audit verify").isDone)
        try await Self.recovery(of: server)
        #expect(Self.lines(of: server, #""message":"the database works again""#).count == 1)
        #expect(Self.lines(of: server, #""message":"the database fails""#).count == 1)
    }

    /// Lets a phone sign in until the server answers with 503; gives the files of that exchange.
    ///
    /// Pages that the database already has take a few more writes.
    private func refusedSignIn(_ phone: PhoneProcess) async throws -> [String] {
        for _ in 0..<100 {
            let folder = installation.scratch.url.appending(path: "full-\(UUID())")
            let outcome = try await phone.run("authenticate", installation.authentication(of: "anna"), record: folder)
            guard !outcome.isDone else { continue }
            return try FileManager.default.contentsOfDirectory(atPath: folder.path()).map { name in
                try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            }
        }
        throw SmallDisk.Endless()
    }
}
