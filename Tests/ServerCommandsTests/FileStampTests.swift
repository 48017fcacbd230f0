import CommandSupport
import Foundation
import Testing

@testable import ServerCommands

@Suite("Stamps of watched files")
struct FileStampTests {
    private let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder(named: "signet-file-stamp") }

    @Test("A file that is written in place with as many bytes has another stamp; one that is not touched keeps it")
    func writtenInPlace() throws {
        let file = scratch.url.appending(path: "file")
        try Data("one".utf8).write(to: file)
        let before = try #require(FileStamp(of: file.path()))
        #expect(FileStamp(of: file.path()) == before)
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: Data("two".utf8))
        try handle.close()
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 1.5)], ofItemAtPath: file.path())
        #expect(try #require(FileStamp(of: file.path())) != before)
    }

    @Test("A symbolic link has the stamp of the file behind it, and another one when it leads elsewhere")
    func links() throws {
        let folder = scratch.url
        let (first, second) = (folder.appending(path: "first"), folder.appending(path: "second"))
        let link = folder.appending(path: "link")
        try Data("one".utf8).write(to: first)
        try Data("one".utf8).write(to: second)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: first)
        #expect(FileStamp(of: link.path()) == FileStamp(of: first.path()))
        try FileManager.default.removeItem(at: link)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: second)
        #expect(FileStamp(of: link.path()) != FileStamp(of: first.path()))
        #expect(FileStamp(of: folder.appending(path: "absent").path()) == nil)
    }
}
