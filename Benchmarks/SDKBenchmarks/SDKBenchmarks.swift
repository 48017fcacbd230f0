import ArgumentParser
import BenchmarkSupport
import Foundation

/// Benchmark of the waits in an operation of the SDK: for the user, the keys, the disk, the network, and the SDK
/// itself.
@main
struct SDKBenchmarks: AsyncParsableCommand {
    /// Output format of the figures.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table, json
    }

    static let configuration = CommandConfiguration(
        commandName: "script/bench sdk",
        abstract: "Runs the operations of the SDK against a real server process and splits the time of each.",
        discussion: """
            A user answers after 20 ms. Secrets are derived at next to no cost, so that what is left is the SDK's own \
            work; nine further rounds derive them as products do, and the difference is the derivation. TMPDIR must be \
            a real disk.
            """)

    @Option(help: "How the figures are written: table or json.")
    var format = Format.table

    @Option(help: "How often each operation is run.")
    var rounds = 30

    func validate() throws {
        guard (1...10_000).contains(rounds) else { throw ValidationError("--rounds takes 1 to 10000") }
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "signet-bench-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let figures =
            try await SDKBenchmark(folder: folder, rounds: rounds).figures() + GuardBenchmark.figures(rounds: rounds)
        let machine = Machine()
        switch format {
        case .table: print(([machine.line] + figures.map(\.line)).joined(separator: "\n"))
        case .json:
            print(#"{"figures":[\#(figures.map(\.json).joined(separator: ","))],"machine":\#(machine.json)}"#)
        }
    }
}
