import Foundation

/// The reader of the package `zbar-tools`: what others see in a picture that we made.
package struct ForeignQRReader: Sendable {
    /// What goes wrong with the program, not with the picture.
    package enum Failure: Error {
        case failed(status: Int32)
    }

    private static let program = "/usr/bin/zbarimg"
    /// Whether it is there.
    package static let isInstalled = FileManager.default.isExecutableFile(atPath: program)
    /// What a test says that is skipped.
    package static let absence = "zbar-tools is not installed; run script/bootstrap"

    /// Finds the program.
    package init() {}

    /// The text in each of the pictures, which hold one code each without line breaks.
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
        try process.run()
        try? said.fileHandleForWriting.close()
        let output = try said.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure.failed(status: process.terminationStatus) }
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.dropLast().map(String.init)
    }
}
