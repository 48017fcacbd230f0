import Foundation
import Locking
import TestSupport

/// Run of the program `GuardChild`, alone or under another program.
struct GuardedChild {
    /// Lines of its standard output.
    let lines: [String]
    /// Standard error of the child, and of a program above it.
    let complaints: String
    /// Signal that has ended the process; nil when it ended by itself.
    let signal: Int32?
    /// Whether it was still running when its time was over; it was killed then.
    let isStuck: Bool

    /// Path of the child as it was built, without a seal.
    static let path = BuiltProgram("GuardChild").path

    /// Runs a child at `path` until it ends, or for some seconds.
    init(
        _ arguments: String..., path: String = GuardedChild.path, under others: [String] = [],
        environment: [String: String] = [:], seconds: Double = 60
    ) throws {
        let folder = try TemporaryFolder()
        let process = Process()
        let command = others + [path] + arguments
        process.executableURL = URL(filePath: "/usr/bin/env")
        // A preloaded library is for the child alone, and not for what starts it.
        process.arguments = environment.map { "\($0.key)=\($0.value)" } + command
        let (output, errors) = (try Self.file("out", in: folder), try Self.file("err", in: folder))
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try ThreadSignals.unblocked { try process.run() }
        let end = Date(timeIntervalSinceNow: seconds)
        while process.isRunning, Date() < end { usleep(2_000) }
        isStuck = process.isRunning
        if isStuck { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        signal = process.terminationReason == .uncaughtSignal && !isStuck ? process.terminationStatus : nil
        lines = try Self.text("out", in: folder).split(separator: "\n").map(String.init)
        complaints = try Self.text("err", in: folder)
    }

    /// Names of the rules that have found something, but for those about the machine and its user.
    var rules: Set<String> {
        Set(
            lines.filter { $0.hasPrefix("found ") }.compactMap { $0.split(separator: " ").dropFirst().first }
                .map(String.init)
        ).filter { !$0.hasPrefix("machine.") && !$0.hasPrefix("root.") }
    }

    private static func file(_ name: String, in folder: TemporaryFolder) throws -> FileHandle {
        let path = folder.path + "/" + name
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        return try FileHandle(forWritingTo: URL(filePath: path))
    }

    private static func text(_ name: String, in folder: TemporaryFolder) throws -> String {
        String(decoding: try folder.bytes(of: name), as: UTF8.self)
    }
}

/// Things that the tests make for the child.
enum Workshop {
    /// Failure of a program that makes something.
    struct Failure: Error {
        let program: String
        let status: Int32
    }

    /// Compiles a library of one function into a folder, and returns its path.
    static func library(in folder: TemporaryFolder) throws -> String {
        let (source, library) = (folder.path + "/preload.c", folder.path + "/libpreload.so")
        try Data("int signet_preloaded(void) { return 1; }\n".utf8).write(to: URL(filePath: source))
        try run("clang", "-shared", "-fPIC", "-o", library, source)
        return library
    }

    /// Copies the child into a folder and seals it, with bundled files; returns its path.
    static func sealedChild(in folder: TemporaryFolder, with resources: [String] = []) throws -> String {
        let copy = folder.path + "/GuardChild"
        try run("objcopy", "--strip-debug", GuardedChild.path, copy)
        try run(script("seal"), [copy] + resources.map { folder.path + "/" + $0 })
        return copy
    }

    /// Path of a script of the package.
    static func script(_ name: String) -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return root.appending(path: "script/maintain/" + name).path()
    }

    /// Runs a program that has to succeed.
    static func run(_ program: String, _ arguments: String...) throws { try run(program, arguments) }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        try ThreadSignals.unblocked { try process.run() }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(program: program, status: process.terminationStatus)
        }
    }
}
