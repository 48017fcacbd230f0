import Foundation
import HardwareKeys
import SecureStorage

/// What a child process of the crash tests does with the storage in a folder.
package enum StorageCrashChild {
    /// The command line is none that the tests write.
    package struct Misuse: Error {}

    /// The name of the number that ``count(_:in:)`` adds to.
    package static let counter = "counter"

    /// Does what the arguments say: `write FOLDER`, `count FOLDER TIMES` or `lock FILE`.
    package static func run(_ arguments: some Collection<String>) async throws {
        let arguments = Array(arguments)
        switch (arguments.first, arguments.dropFirst().first, arguments.dropFirst(2).first.flatMap { Int($0) }) {
        case ("write", let folder?, _): try await write(in: folder)
        case ("count", let folder?, let times?): try await count(times, in: folder)
        case ("lock", let path?, _): try await hold(path)
        default: throw Misuse()
        }
    }

    /// Writes one state after another and says the number of each once it is acknowledged, until it is killed.
    private static func write(in folder: String) async throws {
        let storage = try await StorageStage(folder, on: PosixFileSystem()).open()
        var number = try NumberedContent.found(in: storage)?.number ?? 0
        say(number)
        while true {
            number += 1
            try NumberedContent(number).put(into: storage)
            try await storage.write()
            say(number)
        }
    }

    /// Adds one to a number, in one transaction each.
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

    /// Takes a lock, says so, and keeps it until it is killed.
    private static func hold(_ path: String) async throws {
        let lock = try PosixFileSystem().lock(path)
        say(1)
        try await Task.sleep(for: .seconds(600))
        lock.release()
    }

    /// One line, at once: what is still in a buffer when the process dies was never said.
    private static func say(_ number: Int) {
        FileHandle.standardOutput.write(Data("\(number)\n".utf8))
    }
}
