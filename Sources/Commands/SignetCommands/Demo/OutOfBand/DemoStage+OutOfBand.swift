import Foundation

extension DemoStage {
    /// Starts the stand-in for the push service.
    func startPushSink() async throws -> LocalPushSink {
        try await LocalPushSink(program: server.program, folder: file("push-sink"))
    }

    /// Reads the QR code of a picture with a program that is none of ours, and writes its text into a file.
    func readCode(in picture: URL, into text: URL) async throws {
        let reader = URL(filePath: "/usr/bin/zbarimg")
        guard FileManager.default.isExecutableFile(atPath: reader.path()) else {
            throw CommandFailure.local("ReaderMissing", "zbarimg is missing: script/bootstrap installs it (zbar-tools)")
        }
        let process = try ChildProcess(
            reader, ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", picture.path()],
            folder: text.deletingLastPathComponent(), name: "zbarimg")
        let ending = await process.ending()
        guard ending.code == 0 else {
            throw CommandFailure.local("ReaderFailed", "zbarimg found no code in the picture: \(ending.complaints)")
        }
        try Data(ending.output.utf8).write(to: text)
    }
}
