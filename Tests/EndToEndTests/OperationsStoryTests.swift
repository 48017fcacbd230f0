import CommandSupport
import DemoCommands
import Foundation
import StrictJSON
import Testing

@Suite("The first weeks of an operator", .timeLimit(.minutes(5)))
struct OperationsStoryTests {
    @Test("The story is played as it is told, from the package to the upgrade")
    func story() async throws {
        let installation = try Installation()
        let process = try ChildProcess(
            installation.programs.phone,
            ["demo", "operations", "--format", "json", "--package", try await package(installation).path()],
            folder: installation.scratch.url, name: "demo")
        let ending = await process.ending()
        #expect(ending.code == 0, "\(ending.complaints)")
        let answer = try JSONParser.parse(ending.output.trimmingCharacters(in: .whitespacesAndNewlines)).asObject()
        #expect(answer["ok"] == .bool(true), "\(ending.output)")
        #expect(
            answer.objects("steps").compactMap { $0.text("name") } == [
                "installed", "started", "administration-opened", "bad-line-imports-none", "imported", "invited",
                "signed-in", "console-entered", "phone-removed", "new-phone", "audit-asked", "audit-asked-by-api",
                "person-exported", "person-erased", "backed-up", "restored", "signed-in-again", "upgraded",
            ])
    }

    /// A package with the built server and the example configuration.
    private func package(_ installation: Installation) async throws -> URL {
        let (files, folder) = (FileManager.default, installation.scratch.url)
        let (tree, made) = (folder.appending(path: "tree"), folder.appending(path: "signet-server.deb"))
        for part in ["DEBIAN", "etc/signet", "usr/bin"] {
            try files.createDirectory(at: tree.appending(path: part), withIntermediateDirectories: true)
        }
        let control = "Package: signet-server\nVersion: 0\nArchitecture: all\nMaintainer: Test <test@localhost>\n"
        try Data((control + "Description: server for a test\n").utf8).write(to: tree.appending(path: "DEBIAN/control"))
        try files.copyItem(
            at: URL(filePath: #filePath).appending(path: "../../../packaging/debian/signet.yaml").standardizedFileURL,
            to: tree.appending(path: "etc/signet/signet.yaml"))
        try files.createSymbolicLink(
            at: tree.appending(path: "usr/bin/signet-server"), withDestinationURL: installation.programs.server)
        let build = try ChildProcess(
            URL(filePath: "/usr/bin/dpkg-deb"), ["--build", tree.path(), made.path()], folder: folder, name: "dpkg-deb")
        #expect(await build.ending().code == 0)
        return made
    }
}
