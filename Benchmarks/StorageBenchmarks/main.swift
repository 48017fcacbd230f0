import BenchmarkSupport
import Foundation

// Cost of a storage as an application observes it: the time to open, to read and to write, beside the library that most
// would use instead, and beside the encryption or the disk alone.

let options: BenchmarkOptions
do {
    options = try BenchmarkOptions(CommandLine.arguments.dropFirst())
} catch {
    FileHandle.standardError.write(Data("\(error.explanation)\n\(BenchmarkOptions.usage)\n".utf8))
    exit(64)
}
if options.wantsHelp {
    print(BenchmarkOptions.usage)
    exit(0)
}

let folder = FileManager.default.temporaryDirectory.appending(
    path: "signet-bench-\(UUID().uuidString)", directoryHint: .isDirectory)
try FileManager.default.createDirectory(
    at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
let figures: [Figure]
do {
    let benchmark = StorageBenchmark(folder: folder, seconds: options.seconds)
    figures = try await benchmark.figures() + benchmark.openOnMainActor()
} catch {
    try? FileManager.default.removeItem(at: folder)
    throw error
}
let report = BenchmarkReport(figures: figures, diskSync: try DiskSync.median(in: folder))
try FileManager.default.removeItem(at: folder)
print(options.format == .json ? report.json : report.table)
