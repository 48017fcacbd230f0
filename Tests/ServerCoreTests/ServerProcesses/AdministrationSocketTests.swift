import Foundation
import Glibc
import ServerCore
import ServerProcesses
import TestSupport
import Testing

@Suite("Sockets for administration, beside a database")
struct AdministrationSocketTests {
    private let folder: TestSupport.TemporaryFolder
    private let random = SeededRandom()
    private var database: String { folder.path + "/signet.sqlite" }
    private var processes: String { database + ".processes" }

    init() throws { folder = try TestSupport.TemporaryFolder() }

    private func files() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: processes)) }

    /// Listens at the address of a process, and returns the descriptor and the name of the file, made `age` seconds ago.
    private func listen(at socket: AdministrationSocket, age: TimeInterval) throws -> (Int32, String) {
        let before = try files()
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(socket.address.utf8)) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound && Glibc.listen(descriptor, 1) == 0)
        let file = try #require(try files().subtracting(before).first)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: processes + "/" + file)
        return (descriptor, file)
    }

    @Test("A process that begins removes the sockets of those that have ended, and no other")
    func removesTheAbandoned() throws {
        let ended = try listen(at: AdministrationSocket(besides: database, random: random), age: 3_600)
        let alive = try listen(at: AdministrationSocket(besides: database, random: random), age: 3_600)
        let beginning = try listen(at: AdministrationSocket(besides: database, random: random), age: 0)
        #expect(try files() == [ended.1, alive.1, beginning.1])
        for process in [ended, beginning] { close(process.0) }
        _ = try AdministrationSocket(besides: database, random: random)
        #expect(try files() == [alive.1, beginning.1])
        close(alive.0)
    }
}
