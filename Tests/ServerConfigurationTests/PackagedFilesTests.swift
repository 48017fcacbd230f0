import Foundation
import ServerConfiguration
import ServerCore
import Testing

@Suite("packaging/debian, container and kubernetes: what they say of the server is what its settings mean")
struct PackagedFilesTests {
    private static let secret = (text: String(repeating: "s", count: 43), permissions: UInt16(0o600))

    private func text(_ path: String) throws -> String {
        let file = URL(filePath: #filePath).appending(path: "../../../packaging/\(path)").standardizedFileURL
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// What the first group of an expression stands for in a file.
    private func first(_ pattern: Regex<(Substring, Substring)>, of text: String) throws -> String {
        String(try #require(text.firstMatch(of: pattern)).1)
    }

    private func seconds(_ duration: Duration) -> Int { Int(duration.components.seconds) }

    @Test("The package's configuration starts a server on loopback, and the one beside it serves other machines")
    func debian() throws {
        let text = try text("debian/signet.yaml")
        let trial = try read(text)
        #expect(trial.http.service.isLoopback && trial.dataDirectory == "/var/lib/signet")
        let production = text.split(separator: "\n").drop { $0 != "# profile: production" }
            .map { $0.dropFirst(2) }.joined(separator: "\n")
        let deployment = try read(
            "data-directory: /var/lib/signet\n" + production,
            files: ["/etc/signet/chain.pem": ("", 0o644), "/etc/signet/key.pem": Self.secret])
        #expect(deployment.profile == .production && !deployment.http.service.isLoopback)
    }

    @Test("The unit waits as long as the server drains and stops, and gives it descriptors for its connections")
    func unit() throws {
        let unit = try text("debian/signet-server.service")
        let limits = try read("profile: production\nfido-uaf: { facets: [\"ios:bundle-id:com.example.app\"] }").http
            .limits
        let stop = try #require(Int(try first(/TimeoutStopSec=([0-9]+)s/, of: unit)))
        #expect(stop > seconds(limits.drainTime) + seconds(limits.stopTime))
        let descriptors = try #require(Int(try first(/LimitNOFILE=([0-9]+)/, of: unit)))
        #expect(descriptors >= limits.connectionCount + 256)
        #expect(unit.contains("ExecStart=/usr/bin/signet-server serve --config /etc/signet/signet.yaml\n"))
        let account = try first(/\nUser=(\w+)/, of: unit)
        #expect(try text("debian/sysusers.conf").contains("\nu \(account) "))
        #expect(try text("debian/tmpfiles.conf").contains("\nd /var/lib/signet 0700 \(account) \(account) "))
    }

    @Test("The trial of compose.yaml is on loopback, at the addresses and files that its services name")
    func compose() throws {
        let folder = "/var/lib/signet/push-sink"
        let deployment = try read(
            try text("container/signet.yaml"),
            files: ["\(folder)/service-account.json": Self.secret, "\(folder)/tls/ca.pem": ("", 0o644)])
        #expect(deployment.http.service == ListenerAddress(host: "127.0.0.1", port: 8443))
        let compose = try text("container/compose.yaml")
        #expect(try first(/ISSUER: (\S+)/, of: compose) == "https://127.0.0.1:8443")
        #expect(try first(/(?:--data-directory, )(\S+),/, of: compose) == folder)
        #expect(compose.contains("\"./signet.yaml:/etc/signet/signet.yaml:ro\""))
    }

    @Test("Kubernetes asks at the ports of the configuration, as the image's account, and waits until it has stopped")
    func kubernetes() throws {
        let file = try text("kubernetes/signet.yaml")
        let block = try first(/signet\.yaml: \|\n((?:    .*\n)+)/, of: file)
        let named = block.matches(of: /\/run\/signet\/[a-z.-]+/).map { (String($0.output), Self.secret) }
        let deployment = try read(
            block.split(separator: "\n").map { $0.dropFirst(4) }.joined(separator: "\n"),
            files: Dictionary(named) { one, _ in one })
        let http = deployment.http
        let ports = file.matches(of: /containerPort: ([0-9]+)/).compactMap { Int($0.1) }
        #expect(ports == [http.service.port, 9_089])
        #expect(http.management.place == .address(ListenerAddress(host: "0.0.0.0", port: 9_089)))
        let patience = try #require(Int(try first(/terminationGracePeriodSeconds: ([0-9]+)/, of: file)))
        #expect(patience > seconds(http.limits.drainTime) + seconds(http.limits.stopTime))
        let account = try first(/runAsUser: ([0-9]+)/, of: file)
        #expect(try text("container/Containerfile").contains("--uid \(account) "))
        let made = Set(file.matches(of: /--from-file=([a-z.-]+)/).map { "/run/signet/\($0.1)" })
        #expect(made.isSuperset(of: named.map(\.0)), "the Secret has every file that the configuration names")
    }
}
