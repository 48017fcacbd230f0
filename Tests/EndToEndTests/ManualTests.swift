import CommandSupport
import DemoCommands
import Foundation
import Testing

@Suite("Manuals and the unit of the packages")
struct ManualTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder(named: "signet-manuals")
    }

    private func ending(of program: String, _ arguments: [String]) async throws -> ChildProcess.Ending {
        try await ChildProcess(
            URL(filePath: program), arguments, folder: scratch.url, name: URL(filePath: program).lastPathComponent
        ).ending()
    }

    @Test("Every command of the programs has a manual from its help, in which a reader of manuals finds no fault")
    func manuals() async throws {
        let programs = try Installation.builtPrograms()
        for program in [programs.phone, programs.server, try programs.pushSink] {
            let script = Self.root.appending(path: "script/maintain/manuals").path()
            let ending = try await ending(
                of: "/usr/bin/env", ["python3", "-B", script, program.path(), "8", scratch.url.path()])
            #expect(ending.code == 0, "\(ending.complaints)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path()).filter {
            $0.hasSuffix(".8")
        }
        #expect(names.count > 100)
        let page = try String(contentsOf: scratch.url.appending(path: "signet-server-users-add.8"), encoding: .utf8)
        #expect(page.contains(".Nm signet-server users add\n.Op Ar options\n.Ar name\n"))
        #expect(page.contains(".It Fl \\-out Ar file.png\n"))
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/mandoc") else { return }
        let paths = names.map { scratch.url.appending(path: $0).path() }
        let lint = try await ending(of: "/usr/bin/mandoc", ["-T", "lint", "-W", "warning"] + paths)
        #expect(lint.code == 0, "\(lint.output)\(lint.complaints)")
    }

    @Test(
        "systemd takes the unit and finds it closed: below 2.0 of 10",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")))
    func unit() async throws {
        let unit = Self.root.appending(path: "packaging/debian/signet-server.service")
        let text = try String(contentsOf: unit, encoding: .utf8)
        let copy = scratch.url.appending(path: "signet-server.service")
        try text.replacing("/usr/bin/signet-server", with: "/bin/true").write(
            to: copy, atomically: true, encoding: .utf8)
        let verified = try await ending(
            of: "/usr/bin/systemd-analyze", ["verify", "--man=no", "--recursive-errors=no", copy.path()])
        #expect(verified.code == 0 && verified.complaints.isEmpty, "\(verified.complaints)")
        let judged = try await ending(
            of: "/usr/bin/systemd-analyze", ["security", "--offline=yes", "--threshold=20", "--no-pager", copy.path()])
        #expect(judged.code == 0, "\(judged.output.suffix(200))")
    }
}
