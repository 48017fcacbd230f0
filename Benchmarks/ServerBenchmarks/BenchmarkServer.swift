import BenchmarkSupport
import CommandSupport
import DemoCommands
import Foundation
import UAF

import struct TestSupport.SyntheticAuthenticator

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Release build of `signet-server` as a process, on a data folder that is deleted with the value.
///
/// Its log has the default level of production, `info`, and is written to a file.
final class BenchmarkServer: MeasuredServer {
    /// Number of users with a credential, so that no table fits into one page.
    static let population = 10_000
    /// Access key of the portals that dispatch.
    static let accessKey = "benchmark-portal-key-0123456789-0123456789"

    /// Database of the server, as another process may share it.
    let storage: ServerStorage

    private let scratch: TemporaryFolder
    private let process: ChildProcess
    private let local: LocalServer

    /// Writes a population into a database of its own, starts the server on it and waits until it responds.
    ///
    /// Without `dispatchers` payloads go as links; `sections` are further sections of the configuration.
    convenience init(_ population: Population, dispatchers: [String] = [], sections: String = "") async throws {
        let scratch = try TemporaryFolder(named: "signet-benchmark")
        let data = scratch.url.appending(path: "server/data")
        try FileManager.default.createDirectory(
            at: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let storage = ServerStorage.sqlite(
            file: data.appending(path: "signet.sqlite").path(), masterKey: data.appending(path: "master.key").path())
        try await storage.fill(with: population)
        let settings = Self.settings(dispatchers) + sections
        try await self.init(on: storage, in: scratch, instance: "first", settings: settings)
    }

    /// Starts a server on a database that is filled, and waits until it responds; processes on the same database have
    /// different `instance` names.
    ///
    /// The other files of the server are in `scratch`, or in a folder of their own.
    convenience init(on storage: ServerStorage, instance: String, in scratch: TemporaryFolder? = nil) async throws {
        let scratch = try scratch ?? TemporaryFolder(named: "signet-benchmark")
        try await self.init(on: storage, in: scratch, instance: instance, settings: Self.settings([]))
    }

    private init(
        on storage: ServerStorage, in scratch: TemporaryFolder, instance: String, settings: String
    ) async throws {
        self.storage = storage
        self.scratch = scratch
        guard let program = ServerProgram.url else { throw BenchmarkFailure.serverNotBuilt }
        local = try LocalServer(
            program: program, folder: scratch.url.appending(path: "server"), settings: settings + storage.settings)
        try Data(MetadataCatalog([try SyntheticAuthenticator().metadata]).document)
            .write(to: local.folder.appending(path: "metadata.json"))
        try Self.write(Self.accessKey, to: local.folder.appending(path: "portal.key"))
        try Self.write(WebSite.secret, to: local.folder.appending(path: WebSite.secretFile))
        process = try await local.start(environment: ["SIGNET_SERVER_INSTANCE_NAME": instance])
    }

    private static func write(_ secret: String, to file: URL) throws {
        try Data(secret.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path())
    }

    deinit { process.kill() }

    /// Folder of the server's files.
    var folder: URL { local.folder }
    var port: Int { local.port }
    /// Base URL for phones and browsers.
    var origin: String { local.address }
    var authorityFile: String { local.authorityFile.path() }
    var time: ProcessTime { get throws { try ProcessTime(ofProcess: process.identifier) } }
    /// Process ID.
    var identifier: Int32 { process.identifier }

    /// Time that requests have waited in the queues of the server so far, in seconds (`signet_queue_wait_seconds`).
    var queueWait: Double {
        get async throws {
            guard let address = URL(string: "http://127.0.0.1:\(local.managementPort)/metrics") else {
                throw BenchmarkFailure.badConstant
            }
            let (body, _) = try await URLSession.shared.data(from: address)
            let waits = String(decoding: body, as: UTF8.self).split(separator: "\n")
                .filter { $0.hasPrefix("signet_queue_wait_seconds_sum{") }
            guard !waits.isEmpty else { throw BenchmarkFailure.noQueueWait }
            return waits.compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
        }
    }

    /// Octets of its log so far.
    var logOctets: Int {
        get throws {
            let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            return try files.filter { ["log", "out"].contains($0.pathExtension) }.map { try FileOctets.size(of: $0) }
                .reduce(0, +)
        }
    }

    /// Stops the server as its operator would.
    func end() async throws {
        process.stop()
        let ending = await process.ending()
        guard ending.code == 0 else {
            throw BenchmarkFailure.serverEnded(String(ending.complaints.suffix(600)))
        }
    }

    /// Configuration: registration without a password, a portal, no rate limit for an address or the portal that a run could reach,
    /// and a proxy on this machine with as many connections as it likes; everything else has its default.
    private static func settings(_ dispatchers: [String]) -> String {
        let uaf = "fido-uaf:\n  metadata: { path: metadata.json }\n"
        guard !dispatchers.isEmpty else { return uaf + others }
        return uaf + "  dispatchers:\n" + dispatchers.map { "    - \($0)\n" }.joined() + others
    }

    private static let others = """
        authorization:
          registration: none
        out-of-band:
          access-keys: [{ name: portal, key-file: portal.key, requests-per-second: 100000, burst: 1000000 }]
        server:
          trusted-proxies: [127.0.0.1/32]
          connection-timeout: 600s
          max-connections: 20000
          max-connections-per-address: 20000
          rate-limit:
            per-address: { per-second: 1000000, burst: 1000000 }
            per-user: { per-second: 1000000, burst: 1000000 }

        """
}
