import Foundation
import HardwareKeys
import SecureStorage

/// The same entries in a secure storage and in SQLCipher, on one disk.
struct Contestants {
    static let valueByteCount = 256

    let count: Int
    let names: [String]
    let storage: SecureStorage
    let database: CipherDatabase
    private let folder: URL

    /// Fills both with `count` entries in a folder of their own below `parent`.
    init(_ count: Int, in parent: URL) async throws {
        self.count = count
        folder = parent.appending(path: "\(count)-entries", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        names = (0..<count).map { "entry-\($0)" }
        storage = try await Self.openStorage(in: folder, passphrase: nil)
        for name in names { try storage.putString(Self.value(0), forKey: name) }
        try await storage.write()
        database = try CipherDatabase(folder.path() + "raw.db", key: .raw)
        try fill(database)
    }

    /// Text of 256 characters that depends on a number.
    static func value(_ number: Int) -> String {
        let digits = String(number)
        return digits + String(repeating: "v", count: valueByteCount - digits.utf8.count)
    }

    /// Size of the storage's file in bytes.
    var fileByteCount: Int {
        get throws { try Data(contentsOf: folder.appending(path: "storage/bench.sst")).count }
    }

    /// Folder for a plain file of the same size.
    var directory: String { folder.path() + "storage" }

    /// Opens the storage again and reads one value.
    func openStorage() async throws {
        let storage = try await Self.openStorage(in: folder, passphrase: nil)
        guard try storage.getString(forKey: names[count / 2]).utf8.count == Self.valueByteCount else {
            throw BenchmarkFailure.wrongValue
        }
    }

    /// Opens the database again and reads one value.
    func openDatabase() throws {
        guard
            try CipherDatabase(folder.path() + "raw.db", key: .raw).get(names[count / 2]).utf8.count
                == Self.valueByteCount
        else { throw BenchmarkFailure.wrongValue }
    }

    /// Openers of the same entries behind a passphrase, each with the default cost of its library.
    func openersWithPassphrase() async throws -> [() async throws -> Void] {
        let own = folder.appending(path: "passphrase", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(
            at: own, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let passphrase = "correct horse battery staple"
        let storage = try await Self.openStorage(in: own, passphrase: passphrase)
        for name in names { try storage.putString(Self.value(0), forKey: name) }
        try await storage.write()
        let path = own.path() + "passphrase.db"
        try fill(try CipherDatabase(path, key: .passphrase))
        let name = names[0]
        return [
            { _ = try await Self.openStorage(in: own, passphrase: passphrase).getString(forKey: name) },
            { _ = try CipherDatabase(path, key: .passphrase).get(name) },
        ]
    }

    private func fill(_ database: CipherDatabase) throws {
        try database.transaction {
            for name in names { try database.put(Self.value(0), name) }
        }
    }

    private static func openStorage(in folder: URL, passphrase: String?) async throws -> SecureStorage {
        var configuration = SecureStorage.Configuration(hardware: .none, directory: folder.path() + "storage")
        configuration.limits = SecureStorage.Limits(entryCount: SecureStorage.Limits.entryCountCeiling)
        configuration.passphrase = passphrase.map { SecureStorage.Passphrase(copying: $0.utf8) }
        return try await SecureStorage.createSecureStorage(
            fileName: "bench", fingerprint: "benchmark", configuration: configuration)
    }
}
