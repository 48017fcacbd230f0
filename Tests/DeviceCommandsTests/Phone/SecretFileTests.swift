import CommandSupport
import Foundation
import TestSupport
import Testing

@testable import DeviceCommands

@Suite("D-L10, D-M7: files with secrets are for their owner only")
struct SecretFileTests {
    @Test("D-L10: a secret file that others may read is refused with the way out", arguments: [0o644, 0o640, 0o604])
    func exposed(mode: Int) throws {
        let folder = try TestSupport.TemporaryFolder()
        let path = folder.path + "/pin"
        try PrivateFile(path: path).write("SECRET")
        #expect(try SecretFile(path: path).text() == "SECRET")
        try folder.setPermissions(mode, of: "pin")
        #expect {
            _ = try SecretFile(path: path).text()
        } throws: { error in
            let words = "\(error)"
            return words.contains("chmod 600") && !words.contains("SECRET")
        }
    }

    @Test("D-L10: a link is judged by the file it leads to, and a pipe is taken")
    func linkAndPipe() throws {
        let folder = try TestSupport.TemporaryFolder()
        try PrivateFile(path: folder.path + "/pin").write("SECRET")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: folder.path + "/pin")
        #expect(try SecretFile(path: folder.path + "/link").text() == "SECRET")
        try folder.setPermissions(0o644, of: "pin")
        #expect(throws: CommandFailure.self) { try SecretFile(path: folder.path + "/link").text() }
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("SECRET\n".utf8))
        try pipe.fileHandleForWriting.close()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        #expect(try SecretFile(path: "/dev/fd/\(descriptor)").text() == "SECRET")
    }

    @Test("D-M7: a private file replaces one that others could read, and does not write through a link")
    func replaced() throws {
        let folder = try TestSupport.TemporaryFolder()
        let files = FileManager.default
        for name in ["old", "aim"] { try Data(name.utf8).write(to: URL(filePath: folder.path + "/" + name)) }
        try folder.setPermissions(0o644, of: "old")
        try files.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: folder.path + "/aim")
        for name in ["old", "link", "new"] {
            try PrivateFile(path: folder.path + "/" + name).write("SECRET")
            #expect(try folder.permissions(of: name) == 0o600)
            #expect(try folder.bytes(of: name) == Array("SECRET\n".utf8))
        }
        #expect(try folder.bytes(of: "aim") == Array("aim".utf8))
        #expect(throws: CommandFailure.self) { try PrivateFile(path: folder.path + "/absent/new").write("SECRET") }
        #expect(try folder.names() == ["aim", "link", "new", "old"])
    }

    @Test("D-M7: while private files are written no other account can read one of them or a draft")
    func everyMoment() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let seen = try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask {
                for round in 0..<200 { try PrivateFile(path: folder.path + "/token-\(round)").write("SECRET") }
                return 0
            }
            group.addTask {
                var worst = 0
                while !FileManager.default.fileExists(atPath: folder.path + "/token-199") {
                    for name in try folder.names() { worst |= (try? folder.permissions(of: name)) ?? 0 }
                }
                return worst
            }
            return try await group.reduce(0, |)
        }
        #expect(seen & 0o077 == 0)
    }
}
