import CommandSupport
import Foundation
import HTTPEngine
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerHTTP
import TestSupport
import Testing
import UAF

@testable import ServerCommands

@Suite("signet-server config check: settings that are taken and do not do what they seem to")
struct ConfigurationFindingTests {
    /// Weight of a finding.
    enum Weight {
        /// Exit code 2.
        case mistake
        case warning, notice
    }

    /// A wrong configuration, the honest one beside it, and what is found in the wrong one alone.
    struct Row: CustomTestStringConvertible, Sendable {
        let weight: Weight
        /// Beginning of the finding: the setting.
        let setting: String
        /// Part of the finding: what helps.
        let help: String
        let honest: String
        let wrong: String

        var testDescription: String { wrong }
    }

    private static let client = #"id: shop, name: Shop, key-set-address: "https://a.example/k""#
    private static let limit = DescriptorLimit(soft: 1_024, hard: 20_000)
    private static let webhook = "name: audit, events: [locked], secret-file: hook.txt"

    private static let clientRows = [
        ("redirect-addresses", "https://shop.example.com/back", "https://shop.example.com/*"),
        ("logout-redirect-addresses", "https://shop.example.com/", "https://*.example.com/"),
        ("origins", "https://shop.example.com", "https://*.example.com"),
    ].map { setting, honest, wrong in
        func text(_ address: String) -> String {
            "openid: {enabled: true, clients: [{\(client), \(setting): [\"\(address)\"]}]}"
        }
        return Row(
            weight: .mistake, setting: "openid.clients: \(setting) of shop has \(wrong)", help: "list each address",
            honest: text(honest), wrong: text(wrong))
    }

    private static let webSiteRows = [
        Row(
            weight: .warning, setting: "openid.clients has shop", help: "openid.enabled to true",
            honest: "openid: {enabled: true, clients: [{\(client)}]}",
            wrong: "openid: {enabled: false, clients: [{\(client)}]}"),
        Row(
            weight: .warning, setting: "openid.clients: confirmation of shop", help: "switch receipts on",
            honest: "openid: {enabled: true, clients: [{\(client), confirmation: true}]}",
            wrong: "receipts: {enabled: false}\nopenid: {enabled: true, clients: [{\(client), confirmation: true}]}"),
        Row(
            weight: .warning, setting: "outgoing.retries is empty", help: "list waits",
            honest: "outgoing: {retries: [5s]}",
            wrong: "outgoing: {retries: []}"),
        Row(
            weight: .notice, setting: "out-of-band.access-keys: shop", help: "dispatch:registration",
            honest: "out-of-band: {access-keys: [{name: shop, key-file: key.txt, "
                + "scopes: [dispatch, \"dispatch:registration\"]}]}",
            wrong: "out-of-band: {access-keys: [{name: shop, key-file: key.txt}]}"),
        Row(
            weight: .warning, setting: "relying-party-api.enabled is true", help: "add a key with scopes",
            honest: "relying-party-api: {enabled: true}\n"
                + "out-of-band: {access-keys: [{name: shop, key-file: key.txt, scopes: [approve]}]}",
            wrong: "relying-party-api: {enabled: true}"),
        Row(
            weight: .warning, setting: "relying-party-api.enabled is true", help: "add a key with scopes",
            honest: "relying-party-api: {enabled: true}\n"
                + "out-of-band: {access-keys: [{name: shop, key-file: key.txt}]}",
            wrong: "relying-party-api: {enabled: true}\n"
                + "out-of-band: {access-keys: [{name: shop, key-file: key.txt, scopes: [dispatch]}]}"),
    ]

    private static let receiverRows = [
        ("127.0.0.1:9000", "127.0.0.0/8"), ("localhost", "127.0.0.0/8"), ("10.1.2.3", "10.0.0.0/8"),
        ("[::1]:9000", "::1"), ("[fd00::7]", "fd00::/8"),
    ].map { host, network in
        let hook = "webhooks: [{\(webhook), address: \"https://\(host)/hook\"}]"
        return Row(
            weight: .mistake, setting: "webhooks: address of audit is https://\(host)/hook",
            help: "outgoing.allowed-networks", honest: hook + "\noutgoing: {allowed-networks: [\"\(network)\"]}",
            wrong: hook)
    }

    private static let networkRows = [
        Row(
            weight: .warning, setting: "server.trusted-proxies has 0.0.0.0/0", help: "addresses of your proxies",
            honest: "server: {trusted-proxies: [10.0.0.1, 192.0.2.0/24]}",
            wrong: "server: {trusted-proxies: [0.0.0.0/0]}"),
        Row(
            weight: .warning, setting: "server.trusted-proxies has ::/0", help: "addresses of your proxies",
            honest: "server: {trusted-proxies: [\"2001:db8::/32\"]}", wrong: "server: {trusted-proxies: [\"::/0\"]}"),
        Row(
            weight: .warning, setting: "out-of-band.quiet-hours has no utc-offset", help: "add utc-offset",
            honest: #"out-of-band: {quiet-hours: {from: "22:00", to: "06:30", utc-offset: "+00:00"}}"#,
            wrong: #"out-of-band: {quiet-hours: {from: "22:00", to: "06:30"}}"#),
        Row(
            weight: .warning, setting: "fido-uaf.app-id is https://a.example:8443/facets.json",
            help: "name https://a.example:8443/nevisfido/uaf/1.1/facets",
            honest: "server: {public-url: \"https://a.example:8443\"}\n"
                + "fido-uaf: {app-id: \"https://a.example:8443/nevisfido/uaf/1.1/facets\"}",
            wrong: "server: {public-url: \"https://a.example:8443\"}\n"
                + "fido-uaf: {app-id: \"https://a.example:8443/facets.json\"}"),
        Row(
            weight: .warning, setting: "server.max-connections is 900000", help: "LimitNOFILE",
            honest: "server: {max-connections: 19744}", wrong: "server: {max-connections: 900000}"),
        Row(
            weight: .notice, setting: "server.public-url has port 443, and the server listens on port 8443",
            help: "right behind a proxy or a NAT", honest: "server: {public-url: \"https://a.example\", port: 443}",
            wrong: "server: {public-url: \"https://a.example\", port: 8443}"),
        Row(
            weight: .mistake, setting: "data-directory: this user cannot make /proc/nope", help: "name a folder",
            honest: "data-directory: deep/data", wrong: "data-directory: /proc/nope"),
    ]

    private let folder: TestSupport.TemporaryFolder

    init() throws {
        folder = try TestSupport.TemporaryFolder()
        try write("hook.txt", "whsec_" + Data(repeating: 7, count: 32).base64EncodedString())
        try write("key.txt", String(repeating: "k", count: 40))
    }

    private func write(_ name: String, _ text: String) throws {
        try PosixFiles().write(Array(text.utf8), to: folder.path + "/" + name, mode: 0o600)
    }

    private func findings(_ settings: String, _ weight: Weight) throws -> Set<String> {
        try write("server.yml", (settings.hasPrefix("data-directory") ? "" : "data-directory: data\n") + settings)
        let deployment = try ConfigurationFile(path: folder.path + "/server.yml", dataDirectory: nil).deployment()
        let review = ConfigurationReview(of: deployment, .product, limit: Self.limit)
        return switch weight {
        case .mistake: Set(ConfigurationMistakes(of: deployment, .product).sentences)
        case .warning: Set(review.warnings)
        case .notice: Set(review.notices)
        }
    }

    @Test(
        "O3-10: each is found with its setting and what helps, and not in the honest configuration beside it",
        arguments: clientRows + webSiteRows + receiverRows + networkRows)
    func found(row: Row) throws {
        let honest = try findings(row.honest, row.weight)
        #expect(!honest.contains { $0.hasPrefix(row.setting) })
        let found = try findings(row.wrong, row.weight).subtracting(honest)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix(row.setting) == true && found.first?.contains(row.help) == true, "\(found)")
    }

    @Test("Looking for a data directory that can be made leaves nothing behind")
    func nothingLeft() throws {
        _ = try findings("data-directory: deep/data", .mistake)
        #expect(PosixFiles().names(in: folder.path) == ["hook.txt", "key.txt", "server.yml"])
    }

    @Test("A port of public-url that a proxy in front is trusted for gives no notice")
    func proxied() throws {
        let settings = "server: {public-url: \"https://a.example\", protocol: http, trusted-proxies: [127.0.0.1]}"
        #expect(try findings(settings, .notice).isEmpty)
    }

    @Test(
        "O3-13: a certificate out of its time is said with the day on which that began or ends",
        arguments: [(-2_000.0, "has expired on "), (0, nil), (2_000, "is valid only from ")])
    func certificateTime(days: Double, words: String?) throws {
        let now = Date(timeIntervalSinceNow: days * 86_400)
        let identity = try LoopbackAuthority.make(now: now).identity(now: now)
        try write("chain.pem", identity.identity.chainPEM)
        try write("key.pem", identity.privateKeyPEM)
        let found = try findings("server: {tls: {certificate-file: chain.pem, private-key-file: key.pem}}", .warning)
            .filter { $0.contains("chain.pem has expired") || $0.contains("chain.pem is valid only") }
        let year = String(now.formatted(.iso8601.year()).prefix(3))
        #expect(found.count == (words == nil ? 0 : 1))
        if let words { #expect(found.first?.contains(words + year) == true, "\(found)") }
    }
}
