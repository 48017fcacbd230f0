import CommandSupport
import Foundation
import TestSupport
import Testing

@testable import DeviceCommands

@Suite("A folder for private files is one in which other accounts replace nothing")
struct PrivateFolderTests {
    private let scratch: TestSupport.TemporaryFolder

    init() throws { scratch = try TestSupport.TemporaryFolder() }

    @Test("A folder of one's own holds a private file, and so does one in which only owners remove their files")
    func undisturbed() throws {
        for mode in [0o700, 0o755, 0o1777] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: scratch.path)
            try PrivateFolder(path: scratch.path).requireUndisturbed()
        }
        try PrivateFolder(path: PrivateFile(path: "/ready").folder).requireUndisturbed()
        #expect(PrivateFile(path: "ready").folder == "." && PrivateFile(path: "/a/b/ready").folder == "/a/b")
    }

    @Test(
        "N-L12: A folder in which others may replace files is refused, and one that is not there",
        arguments: [0o777, 0o770])
    func disturbed(mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: scratch.path)
        let failure = #expect(throws: CommandFailure.self) {
            try PrivateFolder(path: scratch.path).requireUndisturbed()
        }
        #expect(failure?.code == "FolderExposed")
        let absent = #expect(throws: CommandFailure.self) {
            try PrivateFolder(path: scratch.path + "/none").requireUndisturbed()
        }
        #expect(absent?.code == "FileUnwritable")
    }

    @Test("N-L12: A folder is made for its owner alone; one that others may enter, and a link to one, are refused")
    func made() throws {
        let path = scratch.path + "/a/kept"
        for _ in 1...2 { try PrivateFolder(path: path).make() }
        let bits = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(bits == 0o700)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        let failure = #expect(throws: CommandFailure.self) { try PrivateFolder(path: path).make() }
        #expect(failure?.code == "FolderExposed" && failure?.message.contains("chmod 700") == true)
    }
}
