import CommandSupport
import Foundation
import HTTPEngine
import Logging
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerHTTP
import ServerPersistence
import TestSupport
import Testing
import UAF

@testable import ServerCommands

@Suite("signet-server config check: what cannot work")
struct ConfigurationMistakeTests {
    private let folder: TestSupport.TemporaryFolder

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    private func write(_ name: String, _ text: String, mode: UInt16 = 0o600) throws {
        try PosixFiles().write(Array(text.utf8), to: folder.path + "/" + name, mode: mode)
    }

    private func deployment(_ settings: String) throws -> Deployment {
        try write("server.yml", "data-directory: data\n" + settings)
        return try ConfigurationFile(path: folder.path + "/server.yml", dataDirectory: nil).deployment()
    }

    private func mistakes(_ settings: String) throws -> [String] {
        ConfigurationMistakes(of: try deployment(settings), .product).sentences
    }

    private func warnings(_ settings: String, _ catalog: MetadataCatalog = .product) throws -> [String] {
        ConfigurationReview(of: try deployment(settings), catalog).warnings
    }

    @Test("O-M6: a key that does not belong to its certificate, and the two in each other's place, are found")
    func certificates() throws {
        let identities = try (0..<2).map { _ in
            try LoopbackAuthority.make(now: Date()).identity(now: Date())
        }
        try write("chain.pem", identities[0].identity.chainPEM)
        try write("key.pem", identities[0].privateKeyPEM)
        try write("other.pem", identities[1].privateKeyPEM)
        try write("nonsense.pem", "nonsense")
        func tls(_ chain: String, _ key: String) -> String {
            "server: {tls: {certificate-file: \(chain), private-key-file: \(key)}}"
        }
        #expect(try mistakes(tls("chain.pem", "key.pem")).isEmpty)
        let foreign = try mistakes(tls("chain.pem", "other.pem"))
        #expect(foreign.count == 1)
        #expect(foreign.first?.hasPrefix("server.tls.private-key-file: the key in") == true)
        #expect(foreign.first?.contains("other.pem") == true)
        #expect(try mistakes(tls("nonsense.pem", "key.pem")).first?.contains("nonsense.pem") == true)
        #expect(try mistakes(tls("chain.pem", "nonsense.pem")).first?.contains("nonsense.pem") == true)
        #expect { try deployment(tls("key.pem", "chain.pem")) } throws: { error in
            CommandFailure(serving: error).message.contains("swapped?")
        }
    }

    @Test("Passkeys of a domain above another host, and of an address without a name, are found")
    func passkeys() throws {
        func found(_ settings: String, at url: String) throws -> [String] {
            try mistakes(
                "server: {public-url: \"\(url)\"}\nopenid: {enabled: true, passkeys: {enabled: true\(settings)}}")
        }
        #expect(try found("", at: "https://login.example.com:8443").isEmpty)
        #expect(try found(", relying-party-id: example.com", at: "https://login.example.com").isEmpty)
        let wrong = [
            ("", "https://192.0.2.1"), (", relying-party-id: shop.example.com", "https://login.example.com"),
            (", origins: [\"https://example.org\"]", "https://login.example.com"),
        ]
        for (settings, url) in wrong {
            #expect(try found(settings, at: url).map { $0.hasPrefix("openid.passkeys: no browser") } == [true])
        }
    }

    @Test("A-4: a proxy's certificate that is none is a mistake, a proxy whose certificate is not known a warning")
    func frontEnds() throws {
        let chain = try LoopbackAuthority.make(now: Date()).identity(now: Date()).identity.chainPEM
        try write("proxy.pem", chain)
        try write("nonsense.pem", "nonsense")
        func binding(_ file: String) -> String { "fido-uaf: {channel-binding: {certificate-files: [\(file)]}}\n" }
        let proxied = "server: {protocol: http, trusted-proxies: [127.0.0.1]}\n"
        #expect(try mistakes(binding("proxy.pem")).isEmpty)
        #expect(try mistakes(binding("nonsense.pem")).first?.contains("nonsense.pem holds no readable") == true)
        let start = "the certificates of the proxies are not known"
        #expect(try warnings(proxied).contains { $0.hasPrefix(start) })
        #expect(try !warnings(proxied + binding("proxy.pem")).contains { $0.hasPrefix(start) })
        #expect(try !warnings("").contains { $0.hasPrefix(start) })
    }

    @Test("What the check calls a mistake refuses the start, too: a text that no page has, an address with a star")
    func start() throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        for (settings, words) in [
            (
                "pages: {theme: {texts: {en: {signInn: Hello}}}}",
                "pages.theme.texts.en.signInn: no page has such a text"
            ),
            (
                "openid: {enabled: true, clients: [{id: shop, name: Shop, key-set-address: \"https://a.example/k\", "
                    + "redirect-addresses: [\"https://shop.example.com/*\"]}]}", "a star matches nothing"
            ),
        ] {
            let deployment = try deployment(settings)
            #expect { try ServeCommand.review(deployment, logger) } throws: { error in
                CommandFailure(serving: error).message.contains(words)
            }
        }
        for sound in [
            "pages: {theme: {texts: {en: {signIn: Hello}}}}",
            "fido-uaf: {policies: {default: {accepted: [\"F1D0#0001\"]}}, revoked-aaids: [\"F1D0#0001\"]}",
        ] {
            let deployment = try deployment(sound)
            #expect(throws: Never.self) { try ServeCommand.review(deployment, logger) }
        }
    }

    @Test("O-M6: one port twice, and a folder in place of the database, are found")
    func network() throws {
        #expect(try mistakes("server: {port: 7001}\nmanagement: {server: {port: 7001}}").count == 1)
        #expect(try mistakes("server: {port: 7001}\nmanagement: {server: {port: 7002}}").isEmpty)
        #expect(try mistakes("server: {port: 7001}\nmanagement: {server: {port: 7001, host: 127.0.0.2}}").isEmpty)
        try PosixFiles().makePrivateFolder(folder.path + "/base")
        let sentence = try #require(mistakes("database: {file: base}").first)
        #expect(sentence.hasPrefix("database.file: ") && sentence.contains("/base is a folder"))
        #expect(try mistakes("database: {file: base/signet.sqlite}").isEmpty)
    }

    @Test("O-M6: a policy that no model can meet is a mistake, one such alternative is a warning")
    func policies() throws {
        func policy(_ models: String) -> String { "fido-uaf: {policies: {default: {accepted: [\(models)]}}}" }
        let found = try #require(mistakes(policy("\"F1D0#9999\"")).first)
        #expect(found.hasPrefix("fido-uaf.policies.default: no user can register") && found.contains("F1D0#9999"))
        #expect(try mistakes(policy("\"F1D0#9999\", \"F1D0#0001\"")).isEmpty)
        #expect(try warnings(policy("\"F1D0#9999\", \"F1D0#0001\"")).contains { $0.contains("F1D0#9999") })
        #expect(try !warnings(policy("\"F1D0#0001\"")).contains { $0.contains("fido-uaf.policies") })
        #expect { try deployment("fido-uaf: {default-policy: strong}") } throws: { error in
            CommandFailure(serving: error).message.contains("there is no policy \"strong\"")
        }
        #expect(try deployment("fido-uaf: {default-policy: default}").uaf.policies.isEmpty)
        func file(_ criteria: String) throws -> String {
            let described = #""authenticationAlgorithms":[2],"assertionSchemes":["UAFV1TLV"]"#
            try write(
                "policy.json", #"{"accepted":[[{\#(described),\#(criteria)}]],"disallowed":[{"aaid":["F1D0#0001"]}]}"#)
            return "fido-uaf: {policies: {default: {file: policy.json}}}"
        }
        #expect(try mistakes(file(#""vendorID":["F1D0"]"#)).isEmpty)
        let none = try #require(mistakes(file(#""vendorID":["1234"]"#)).first)
        #expect(none.hasSuffix("by this policy: no model of the metadata has what its criteria ask for"))
    }

    @Test("O-M6: an app-id on another host, and software keys in production, are warned of")
    func unwise() throws {
        let settings = "server: {public-url: \"https://a.example\"}\nfido-uaf: {facets: [\"ios:bundle-id:a.b\"], "
        let here = try warnings(settings + "app-id: \"https://a.example/facets\"}")
        let elsewhere = try warnings(settings + "app-id: \"https://b.example/facets\"}")
        #expect(Set(elsewhere).subtracting(here).first?.contains("fido-uaf.app-id is on b.example") == true)
        let production = try warnings("profile: production\n" + settings + "app-id: \"https://a.example/facets\"}")
        #expect(production.contains { $0.contains("keys in software") && $0.contains("FFFF#2101") })
        #expect(!here.contains { $0.contains("keys in software") })
    }

    @Test("S-L2: a facet that ends in a star is said to match nothing, and it matches nothing")
    func wildcards() throws {
        let found = try warnings("fido-uaf: {facets: [\"ios:bundle-id:*\"]}").filter { $0.contains("ios:bundle-id:*") }
        #expect(found.count == 1 && found.first?.contains("matches no application") == true)
        #expect(!found.joined().contains("lets every application in"))
    }

    @Test("O-M9: what an operator's metadata says against the rules is warned of")
    func metadata() throws {
        let catalog = MetadataCatalog([try SyntheticAuthenticator().metadata])
        try write("metadata.json", "[]")
        #expect(
            try warnings("fido-uaf: {metadata: {path: metadata.json}}", catalog).contains {
                $0.hasSuffix("has no icon")
            })
        #expect(try !warnings("log: {level: info}", catalog).contains { $0.hasSuffix("has no icon") })
    }

    @Test("O-M9: warnings are said once")
    func once() throws {
        let found = try warnings("log: {level: info}")
        #expect(found.contains { $0.contains("signet://open") } && Set(found).count == found.count)
    }
}

@Suite("Errors of the server in words")
struct ServerErrorWordTests {
    @Test(
        "O-M4: what is wrong with the database is said with its file and what helps",
        arguments: [
            (ServerPersistenceError.unavailable(code: 26), "is no database of signet-server"),
            (.unavailable(code: 11), "restore a backup"), (.unavailable(code: 5), "locked by another program"),
            (.unavailable(code: 1_544), "may not be written"), (.unavailable(code: 13), "the disk is full"),
            (.newerSchema(number: 13), "newer signet-server"), (.foreignSchema(number: 2), "name another one"),
            (
                .server(DatabaseServerFailure(.unreachable, detail: "refused")),
                "database.host, database.port) [refused]"
            ),
            (.server(DatabaseServerFailure(.untrusted)), "database.tls"),
            (.server(DatabaseServerFailure(.unauthorized)), "database.password-file"),
            (.server(DatabaseServerFailure(.outdated)), "older than PostgreSQL 15"), (.conflict, "try later"),
            (.unfinishedCopy, "finish it with"),
        ])
    func database(error: ServerPersistenceError, words: String) {
        let failure = CommandFailure(database: error, place: "/srv/signet.sqlite")
        #expect(failure.message.contains("/srv/signet.sqlite") && failure.message.contains(words))
        #expect(failure.kind == .local)
    }

    @Test("O-M4: a port in use is said with its address, a file that is missing with its name")
    func addresses() {
        let error = ServerHTTPError.addressUnusable("127.0.0.1:8443", errorNumber: EADDRINUSE)
        #expect(CommandFailure(serving: error).message.contains("another program listens on 127.0.0.1:8443"))
        let file = ConfigurationFile(path: "/nowhere/signet.yml", dataDirectory: nil)
        #expect { try file.deployment() } throws: { error in
            CommandFailure(serving: error).message.contains("the configuration file /nowhere/signet.yml does not exist")
        }
    }
}
