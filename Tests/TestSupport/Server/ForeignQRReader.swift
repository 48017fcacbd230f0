import Foundation
import Locking

/// QR decoder of the package `zbar-tools`, as an independent reader of our pictures.
package struct ForeignQRReader: Sendable {
    /// Failure of the program itself, not of a picture.
    package enum Failure: Error {
        case failed(status: Int32)
    }

    private static let program = "/usr/bin/zbarimg"
    /// Whether the program is installed.
    package static let isInstalled = FileManager.default.isExecutableFile(atPath: program)
    /// Message of a test that is skipped without the program.
    package static let absence = "zbar-tools is not installed; run script/bootstrap"

    /// Creates the decoder.
    package init() {}

    /// Texts of the pictures, each of which contains one QR code without line breaks.
    package func texts(inPNGs pictures: [[UInt8]]) throws -> [String] {
        let folder = try TemporaryFolder()
        var arguments = ["--quiet", "--raw"]
        for (number, picture) in pictures.enumerated() {
            let path = "\(folder.path)/\(number).png"
            try Data(picture).write(to: URL(filePath: path))
            arguments.append(path)
        }
        let process = Process()
        process.executableURL = URL(filePath: Self.program)
        process.arguments = arguments
        let said = Pipe()
        process.standardOutput = said
        process.standardError = FileHandle.nullDevice
        try ThreadSignals.unblocked { try process.run() }
        try? said.fileHandleForWriting.close()
        let output = try said.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure.failed(status: process.terminationStatus) }
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.dropLast().map(String.init)
    }
}
