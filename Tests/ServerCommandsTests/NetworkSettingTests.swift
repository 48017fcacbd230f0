import CommandSupport
import ServerCommandSupport
import ServerConfiguration
import TestSupport
import Testing

@testable import ServerCommands

@Suite("signet-server: network settings and the system")
struct NetworkSettingTests {
    private func warnings(_ server: String) throws -> [String] {
        let folder = try TestSupport.TemporaryFolder()
        let path = folder.path + "/server.yml"
        try PosixFiles().write(Array("data-directory: data\nserver: \(server)\n".utf8), to: path, mode: 0o600)
        let deployment = try ConfigurationFile(path: path, dataDirectory: nil).deployment()
        return ConfigurationReview(of: deployment, try deployment.metadata(from: PosixFiles())).warnings
    }

    @Test("S-H4: config check warns of plain HTTP without trusted proxies, and of nothing else about them")
    func plainWithoutProxies() throws {
        let start = "plain HTTP without server.trusted-proxies"
        #expect(try warnings("{protocol: http}").contains { $0.hasPrefix(start) })
        #expect(try !warnings("{protocol: http, trusted-proxies: [127.0.0.1]}").contains { $0.hasPrefix(start) })
        #expect(try !warnings("{protocol: https}").contains { $0.hasPrefix(start) })
    }

    @Test("S-L7: the limit is raised to what the connections need, never above the hard one and never lowered")
    func raised() {
        #expect(DescriptorLimit(soft: 1_024, hard: 1_048_576).raised(for: 10_000) == 10_256)
        #expect(DescriptorLimit(soft: 1_024, hard: 4_096).raised(for: 10_000) == 4_096)
        #expect(DescriptorLimit(soft: 65_536, hard: 1_048_576).raised(for: 10_000) == 65_536)
        #expect(DescriptorLimit(soft: 1_024, hard: .max).raised(for: 1_000_000) == 1_000_256)
    }

    @Test("S-L7: a limit says how many connections fit under it")
    func fitting() {
        #expect(DescriptorLimit.connectionCount(under: 4_096) == 3_840)
        #expect(DescriptorLimit.connectionCount(under: 10) == 0)
        #expect(DescriptorLimit.connectionCount(under: .max) > 1_000_000)
    }

    @Test("S-L7: a server that may open less than it needs without connections is refused, and told what to raise")
    func required() throws {
        try DescriptorLimit(soft: 257, hard: 257).require()
        let failure = #expect(throws: CommandFailure.self) { try DescriptorLimit(soft: 256, hard: 256).require() }
        #expect(failure?.code == "tooFewFiles" && failure?.kind == .local)
        #expect(failure?.message.contains("open 256 files") == true)
        #expect(failure?.message.contains("LimitNOFILE") == true)
    }

    @Test("S-L7: this process gets what its system gives, and a warning stands for what it does not give")
    func process() throws {
        let before = try #require(DescriptorLimit.current())
        let log = RecordedLog()
        let connectionCount = DescriptorLimit.raise(for: 700, logger: log.logger)
        let after = try #require(DescriptorLimit.current())
        #expect(after == DescriptorLimit(soft: before.raised(for: 700), hard: before.hard))
        #expect(log.take().count == (after.soft < 956 ? 1 : 0))
        #expect(connectionCount == min(700, DescriptorLimit.connectionCount(under: after.soft)))
        // The logger speaks for a limit that no connection count of the configuration reaches.
        let scarce = DescriptorLimit(soft: 1_024, hard: 4_096)
        scarce.warn(for: 10_000, logger: log.logger)
        let lines = log.take()
        #expect(lines.count == 1)
        #expect(lines.first?.contains("connections-that-fit=768 max-connections=10000") == true)
        scarce.warn(for: 768, logger: log.logger)
        #expect(log.take().isEmpty)
    }
}
