import Foundation
import HardwareKeys
import HardwareKeysTPM
import SecureStorage

/// Child process of the crash tests, which works on the storage in a folder.
package enum StorageCrashChild {
    /// Error of a command line that the tests do not use.
    package struct Misuse: Error {}

    /// Name of the number that ``count(_:in:)`` increments.
    package static let counter = "counter"

    /// Runs a command line: `write FOLDER`, `anchored FOLDER CALL|never CONNECTION`, `count FOLDER TIMES`, `lock FILE`,
    /// `grow FOLDER`, `try FOLDER NUMBER` or `load FOLDER TIMES`.
    package static func run(_ arguments: some Collection<String>) async throws {
        let arguments = Array(arguments)
        switch (arguments.first, arguments.dropFirst().first, arguments.dropFirst(2).first.flatMap { Int($0) }) {
        case ("write", let folder?, _): try await write(in: folder)
        case ("anchored", let folder?, let call) where arguments.count == 4:
            try await writeAnchored(in: folder, to: TPMConnection(arguments[3]), dyingAt: call ?? .max)
        case ("count", let folder?, let times?): try await count(times, in: folder)
        case ("lock", let path?, _): try await hold(path)
        case ("grow", let folder?, _): try await grow(in: folder)
        case ("try", let folder?, let number?): try await tryWriting(number, in: folder)
        case ("load", let folder?, let times?): try await load(times, in: folder)
        default: throw Misuse()
        }
    }

    /// Writes one state after another and prints the number of each once it is acknowledged, until it is killed.
    private static func write(in folder: String) async throws {
        try await write(to: try await StorageStage(folder, on: PosixFileSystem()).open())
    }

    /// The same in a storage that is anchored in the TPM of a vault; dies by itself before a call to the file system,
    /// counted from the first commit on.
    private static func writeAnchored(in folder: String, to chip: TPMConnection, dyingAt call: Int) async throws {
        let vault = try await TPMKeyVault.open(inDirectory: folder + "/chip", connection: chip)
        let disk = FatalFileSystem()
        let storage = try await StorageStage(folder + "/d", on: disk, vault: vault, isAnchored: true).open()
        disk.arm(at: call)
        try await write(to: storage)
    }

    private static func write(to storage: SecureStorage) async throws {
        var number = try NumberedContent.found(in: storage)?.number ?? 0
        say(number)
        while true {
            number += 1
            try NumberedContent(number).put(into: storage)
            try await storage.write()
            say(number)
        }
    }

    /// Increments a number, in one transaction each.
    private static func count(_ times: Int, in folder: String) async throws {
        let storage = try await StorageStage(folder, on: PosixFileSystem()).open()
        for _ in 0..<times {
            let sum = try await storage.update { draft throws(SecureStorageError) in
                let old = try draft.contains(key: counter) ? Int(draft.getString(forKey: counter)) ?? 0 : 0
                try draft.putString(String(old + 1), forKey: counter)
                return old + 1
            }
            say(sum)
        }
    }

    /// Acquires a lock, prints a line, and keeps the lock until it is killed.
    private static func hold(_ path: String) async throws {
        let lock = try await PosixFileSystem().lock(path)
        say(1)
        try await Task.sleep(for: .seconds(600))
        lock.release()
    }

    /// Writes more and more until there is no space, and prints the error's number; then removes half of it and writes
    /// again.
    private static func grow(in folder: String) async throws {
        let stage = StorageStage(folder, on: PosixFileSystem())
        let storage = try await stage.open()
        var written = 0
        do throws(SecureStorageError) {
            while true {
                try storage.putBytes([UInt8](repeating: UInt8(written % 251), count: 8_192), forKey: "entry-\(written)")
                try await storage.write()
                written += 1
            }
        } catch {
            say(error)
        }
        say(written)
        say(try await stage.open().count)
        for number in written / 2...written { try storage.remove(forKey: "entry-\(number)") }
        try await storage.write()
        say(try await stage.open().count)
    }

    /// Writes one state and prints 0, or the number of the error; then prints which state the storage has.
    private static func tryWriting(_ number: Int, in folder: String) async throws {
        let stage = StorageStage(folder, on: PosixFileSystem())
        do throws(SecureStorageError) {
            let storage = try await stage.open()
            try NumberedContent(number).put(into: storage)
            try await storage.write()
            say(0)
        } catch {
            say(error)
        }
        say(try await stage.content()?.number ?? 0)
    }

    /// Loads and unloads a storage; prints resident pages and open files after a tenth of the times, and at the end.
    private static func load(_ times: Int, in folder: String) async throws {
        let storage = try await StorageStage(folder, on: PosixFileSystem()).open()
        for round in 0..<times {
            if round == times / 10 { try sayResources() }
            storage.unload()
            try await storage.load(fingerprint: StorageStage.fingerprint)
        }
        try sayResources()
    }

    /// Prints resident pages and open files of this process from proc(5).
    private static func sayResources() throws {
        let memory = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        say(memory.count > 1 ? Int(memory[1]) ?? 0 : 0)
        say(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count)
    }

    private static func say(_ error: SecureStorageError) {
        if case .ioFailure(let code) = error { say(Int(code)) } else { say(-1) }
    }

    /// Prints one line unbuffered, because buffered output is lost when the process dies.
    private static func say(_ number: Int) {
        FileHandle.standardOutput.write(Data("\(number)\n".utf8))
    }
}
