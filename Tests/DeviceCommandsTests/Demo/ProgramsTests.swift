import CommandSupport
import Foundation
import Testing

@testable import DemoCommands

@Suite("The programs that a demonstration starts")
struct ProgramsTests {
    /// A folder with empty programs of these names.
    private func folder(_ names: String...) throws -> TemporaryFolder {
        let folder = try TemporaryFolder(named: "signet-programs")
        for name in names {
            let file = folder.url.appending(path: name).path()
            #expect(
                FileManager.default.createFile(
                    atPath: file, contents: Data(), attributes: [.posixPermissions: 0o700]))
        }
        return folder
    }

    @Test("Phone and server are needed by every story, the push sink by those that push")
    func found() throws {
        let release = try folder("signet", "signet-server")
        let programs = try Programs.inFolder(release.url)
        #expect(programs.server.lastPathComponent == "signet-server")
        #expect(throws: CommandFailure.self) { try programs.pushSink }
        let build = try folder("signet", "signet-server", "signet-push-sink")
        #expect(try Programs.inFolder(build.url).pushSink.lastPathComponent == "signet-push-sink")
    }

    @Test("A program that is missing is named")
    func missing() throws {
        let folder = try folder("signet")
        #expect {
            try Programs.inFolder(folder.url)
        } throws: { error in
            (error as? CommandFailure)?.message.contains("signet-server is missing") == true
        }
    }
}
