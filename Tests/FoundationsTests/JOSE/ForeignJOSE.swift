import Foundation
import Locking
import StrictJSON
import Testing

/// A JOSE library that shares no line with Signet: jwcrypto, driven by `Tests/Interop/jose_exchange.py`.
enum ForeignJOSE {
    /// Debian's own interpreter: it is the one that script/bootstrap gives the library to.
    private static let interpreter = "/usr/bin/python3"
    private static let program = URL(filePath: #filePath)
        .appending(path: "../../../Interop/jose_exchange.py").standardizedFileURL

    /// Said by every test that is skipped because the library is absent.
    static let absence: Comment = "python3-jwcrypto is absent: run script/bootstrap"

    /// Whether the library is there.
    static let isPresent = FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/jwcrypto")

    /// Asks the program one question; fails the test when it found anything wrong.
    static func answer(to question: JSONObject) throws -> JSONObject {
        let folder = FileManager.default.temporaryDirectory.appending(path: "signet-jose-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Files instead of pipes: nothing can fill up, whatever is said.
        let files = ["question", "answer", "complaints"].map { folder.appending(path: $0) }
        try Data(JSONWriter.write(.object(question))).write(to: files[0])
        for file in files.dropFirst() { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(filePath: interpreter)
        process.arguments = [program.path()]
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try ThreadSignals.unblocked { try process.run() }
        process.waitUntilExit()
        let complaints = String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
        let answer = try? JSONParser.parse([UInt8](try Data(contentsOf: files[1])), limits: .document).asObject()
        let members = try #require(answer, "\(complaints)")
        #expect(process.terminationStatus == 0 && members["ok"] == .bool(true), "\(complaints)")
        return members
    }
}
