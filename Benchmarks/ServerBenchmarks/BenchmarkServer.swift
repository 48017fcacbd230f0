import BenchmarkSupport
import CommandSupport
import DeviceCommands
import Foundation
import UAF

import struct TestSupport.SyntheticAuthenticator

/// Release build of `signet-server` as a process, on a data folder that is deleted with the value.
///
/// Its log has the default level of production, `info`, and is written to a file.
final class BenchmarkServer: MeasuredServer {
    /// Number of inactive users with a registered phone, so that no table fits into one page.
    static let population = 10_000
    /// Access key of the portals that dispatch.
    static let accessKey = "benchmark-portal-key-0123456789-0123456789"

    private let scratch: TemporaryFolder
    private let process: ChildProcess
    private let local: LocalServer

    /// Fills a database, starts the server on it and waits until it responds.
    init() async throws {
        scratch = try TemporaryFolder(named: "signet-benchmark")
        guard let program = ServerProgram.url else { throw BenchmarkFailure.serverNotBuilt }
        local = try LocalServer(
            program: program, folder: scratch.url.appending(path: "server"), settings: Self.settings)
        try Data(MetadataCatalog([try SyntheticAuthenticator().metadata]).document)
            .write(to: local.folder.appending(path: "metadata.json"))
        let key = local.folder.appending(path: "portal.key")
        try Data(Self.accessKey.utf8).write(to: key)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path())
        try await Population(folder: local.folder.appending(path: "data")).fill(
            sleeping: Self.population, phones: Load.phoneLimit)
        process = try await local.start()
    }

    deinit { process.kill() }

    /// Folder of the server's files.
    var folder: URL { local.folder }
    var port: Int { local.port }
    var authorityFile: String { local.authorityFile.path() }
    var time: ProcessTime { get throws { try ProcessTime(ofProcess: process.identifier) } }

    /// Stops the server as its operator would.
    func end() async throws {
        process.stop()
        let ending = await process.ending()
        guard ending.code == 0 else {
            throw BenchmarkFailure.serverEnded(String(ending.complaints.suffix(600)))
        }
    }

    /// Configuration: registration without a password, a portal, and no rate limit for an address; everything else has
    /// its default.
    private static let settings = """
        fido-uaf:
          metadata: { path: metadata.json }
        authorization:
          registration: none
        out-of-band:
          access-keys: [{ name: portal, key-file: portal.key }]
        server:
          rate-limit:
            per-address: { per-second: 1000000, burst: 1000000 }
            per-user: { per-second: 1000000, burst: 1000000 }

        """
}
