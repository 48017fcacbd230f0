import CommandSupport
import Foundation
import LoadGenerator

/// SQLite databases with populations of several sizes, in one folder.
struct GrowthDatabases: Sendable {
    /// Database that is filled.
    struct Filled: Sendable {
        let size: LoadSize
        let storage: ServerStorage
        let file: URL
        /// Octets of the file when it was filled.
        let octets: Int
    }

    /// Folder of the files.
    let folder: URL
    /// Keys of all populations.
    let keys: PopulationKeys

    /// Databases below a folder; throws unless the disk has room for `octets`.
    init(in folder: URL, for octets: Int) throws {
        self.folder = folder
        keys = try PopulationKeys()
        let free = try FileOctets.free(in: folder)
        let words = "\(FileOctets.mebibytes(octets)) MiB on the disk are needed, \(FileOctets.mebibytes(free)) are free"
        ProgressLine.say("\(words) in \(folder.deletingLastPathComponent().path())")
        guard octets <= free else { throw BenchmarkFailure.noRoom(words) }
    }

    /// Makes a database with so many credentials.
    func fill(_ size: LoadSize) async throws -> Filled {
        let file = folder.appending(path: "\(size).sqlite")
        let storage = ServerStorage.sqlite(
            file: file.path(), masterKey: folder.appending(path: "\(size).key").path())
        let meter = ProgressMeter("\(size): writing credentials", total: size.count)
        try await storage.fill(with: Population(userCount: size.count, keys: keys)) { meter.note($0) }
        meter.end()
        return Filled(size: size, storage: storage, file: file, octets: try FileOctets.size(of: file))
    }

    /// Removes a database.
    func remove(_ database: Filled) throws {
        try FileManager.default.removeItem(at: database.file)
    }
}
