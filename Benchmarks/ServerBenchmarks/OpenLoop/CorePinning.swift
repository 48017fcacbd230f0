import Foundation
import LoadGenerator
import Locking

/// Processor cores of the generator and of what it measures: one core is the generator's, the others are the servers'.
///
/// Set by `taskset` of util-linux, for all threads of a process that runs. On a machine with one core, or without
/// `taskset`, both share the cores, and the report says so.
struct CorePinning: Sendable {
    private static let program = "/usr/bin/taskset"
    private static let attempts = 5

    private let servers: CoreList
    private let generator: CoreList

    /// Cores of this machine that this process may use; nil when they cannot be shared out.
    init?() {
        guard let shares = Self.allowedCores()?.shares, FileManager.default.isExecutableFile(atPath: Self.program)
        else { return nil }
        (servers, generator) = shares
    }

    /// Runs `start` on the cores of the servers, so that what it starts knows how many it has, and has threads for them.
    func onServerCores<Result>(_ start: () async throws -> Result) async throws -> Result {
        try set([LoadResult.ownProcess], to: servers)
        return try await start()
    }

    /// Keeps this process to the core of the generator, and the others with their children to the cores of the servers.
    func pin(_ processes: [Int32]) throws {
        try set([LoadResult.ownProcess], to: generator)
        try set(processes.flatMap { [$0] + ProcessTime.children(of: $0) }, to: servers)
    }

    /// Lets this process and the others with their children use all cores again.
    func release(_ processes: [Int32] = []) throws {
        let all = processes.flatMap { [$0] + ProcessTime.children(of: $0) }
        try set([LoadResult.ownProcess] + all, to: CoreList(servers.cores + generator.cores))
    }

    /// Sentence about who uses which cores.
    var sentence: String {
        "In the open loops the generator has core \(generator) for itself, servers and databases share \(servers)."
    }

    /// Sentence about cores that everybody shares.
    static let sharedSentence =
        "Generator and servers share the cores: latencies contain what they take from each other."

    private func set(_ processes: [Int32], to cores: CoreList) throws {
        for identifier in processes {
            // A thread that ends while the others are set makes it fail; a child of a database may have ended as a whole.
            let isSet = try (0..<Self.attempts).contains { _ in try Self.set(identifier, to: cores) }
            guard isSet || identifier != LoadResult.ownProcess else {
                throw BenchmarkFailure.programFailed("taskset", cores.description)
            }
        }
    }

    /// Sets the cores of all threads of a process; false when one of them could not be set.
    private static func set(_ identifier: Int32, to cores: CoreList) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = ["--all-tasks", "--pid", "--cpu-list", cores.description, String(identifier)]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try ThreadSignals.unblocked { try process.run() }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Cores in the mask of this process, as the kernel lists them (proc(5), `Cpus_allowed_list`): `0-2,5`.
    private static func allowedCores() -> CoreList? {
        let status = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("Cpus_allowed_list:") }
        return line?.split(separator: ":").last.flatMap { CoreList($0.trimmingCharacters(in: .whitespaces)) }
    }
}
