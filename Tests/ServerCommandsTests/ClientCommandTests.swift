import ArgumentParser
import CommandSupport
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

@testable import ServerCommands

@Suite("signet-server client")
struct ClientCommandTests {
    private let stage: AdministrationStage
    private let folder: TestSupport.TemporaryFolder

    init() async throws {
        stage = try await AdministrationStage()
        folder = try TestSupport.TemporaryFolder()
    }

    private func add(_ arguments: [String]) async throws -> CommandReport.Outcome {
        try await stage.done(AddClient.self, arguments)
    }

    private func client(_ name: String = "shop") async throws -> RegisteredClient {
        try #require(try await ClientAdministration(stage.sites).all().first { $0.client.id.text == name }).client
    }

    /// What a refused command says.
    private func refusal(_ body: () async throws -> CommandReport.Outcome) async -> String? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? CommandFailure)?.message ?? OperationCommand<AddClient>.message(for: error)
        }
    }

    private func isRefused(
        _ words: String, _ body: () async throws -> CommandReport.Outcome
    ) async -> Bool {
        await refusal(body)?.contains(words) == true
    }

    private var shop: [String] {
        ["shop", "--name", "Shop", "--redirect", "https://shop.example/back", "--secret-file", folder.path + "/secret"]
    }

    @Test("A client is added with a secret in a file of mode 0600, which nothing else shows")
    func adding() async throws {
        let outcome = try await add(shop)
        let files = PosixFiles()
        #expect(files.permissions(of: folder.path + "/secret").map { $0 & 0o777 } == 0o600)
        let content = try #require(files.contents(of: folder.path + "/secret"))
        let secret = String(decoding: content.dropLast(), as: UTF8.self)
        #expect(secret.utf8.count == 43)
        let shown = try #require(try await stage.shown(ShowClient.self, ["shop"]).first)
        #expect(shown.text.description.contains("scopes: openid, profile, email"))
        for shown in [outcome, shown] {
            #expect(!shown.text.description.contains(secret))
            #expect(!AdministrationStage.result(shown).contains(secret))
        }
        for record in try await stage.services.audit.records(of: stage.services.settings.instanceName) {
            #expect(!String(decoding: record.event, as: UTF8.self).contains(secret))
        }
        #expect(try await stage.server.auditKinds().last == "ADMIN_CLIENT_ADDED")
    }

    @Test(
        "SA-23: A client has no name that people could misread",
        arguments: TreacherousText.lines + ["Shop ", "My  shop"])
    func misread(name: String) async {
        #expect(await isRefused("The member name") { try await add(shop.map { $0 == "Shop" ? name : $0 }) })
    }

    @Test("A new client has RS256 and one may choose ES256; the RSA key is there before the command returns")
    func algorithm() async throws {
        #expect(throws: ServerError.storageUnavailable) { try stage.services.keys.signer(for: .idTokenRSA) }
        let elliptic = ["app", "--name", "App", "--redirect", "https://app.example/back", "--public"]
        _ = try await add(elliptic + ["--id-token-algorithm", "ES256"])
        #expect(throws: ServerError.storageUnavailable) { try stage.services.keys.signer(for: .idTokenRSA) }
        try await stage.done(ChangeClient.self, ["app", "--id-token-algorithm", "RS256"])
        #expect(try stage.services.keys.signer(for: .idTokenRSA).publicKey != nil)
        _ = try await add(shop + ["--require-pkce"])
        let client = try await client()
        #expect(client.idTokenAlgorithm == .rs256)
        #expect(client.requiresPKCE)
    }

    @Test("A new client may have profile and email, groups only by name, and nothing else than what is a scope")
    func scopes() async throws {
        _ = try await add(shop)
        let cases: [([String], Set<ScopeName>)] = [
            ([], [.profile, .email]), (["--scope", "groups"], [.groups]), (["--scope", "none"], []),
            (["--scope", "openid,email", "--scope", "groups"], [.email, .groups]),
            (["--scope", "openid profile email"], [.profile, .email]),
        ]
        for (arguments, scopes) in cases {
            if !arguments.isEmpty { try await stage.done(ChangeClient.self, ["shop"] + arguments) }
            #expect(try await client().attributeScopes == scopes, "\(arguments)")
        }
        for wrong in ["phone", "offline_access", "none,email", "", ",", "EMAIL"] {
            #expect(
                await isRefused("profile, email and groups") {
                    try await stage.done(ChangeClient.self, ["shop", "--scope", wrong])
                }, "\(wrong)")
        }
        let list = try #require(try await stage.shown(ListClients.self).first?.text.description)
        #expect(list.hasSuffix("shop  Shop  false     openid, profile, email"))
    }

    @Test("Adding a client says all that its site has to be told, and the file of the secret in place of the secret")
    func sheet() async throws {
        let outcome = try await add(
            shop + ["--logout-redirect", "https://shop.example/bye", "--redirect", "https://shop.example/two"])
        let origin = stage.services.settings.outOfBand.origin
        for (name, value) in [
            ("issuer", origin), ("discovery", origin + "/.well-known/openid-configuration"), ("client id", "shop"),
            ("client secret", "in the file \(folder.path)/secret"),
            ("token endpoint auth method", "client_secret_basic or client_secret_post"),
            ("redirect address", "https://shop.example/back"), ("redirect address", "https://shop.example/two"),
            ("address after logout", "https://shop.example/bye"), ("scopes", "openid profile email"),
            ("ID token algorithm", "RS256"), ("PKCE", "S256; without PKCE send a nonce"),
        ] {
            let isSaid = outcome.text.description.split(separator: "\n").contains { line in
                line.hasPrefix("  \(name) ") && line.hasSuffix("  \(value)")
            }
            #expect(isSaid, "\(name): \(value)")
        }
        let site = try #require(outcome.result["site"]).asObject()
        #expect(site["clientId"] == .string("shop") && site["secretFile"] == .string(folder.path + "/secret"))
        #expect(site["pkce"] == .string("or-nonce"))
        let app = try await add(["app", "--name", "App", "--redirect", "com.example.app:/back", "--public"])
        #expect(app.text.description.contains("required, with S256") && !app.text.description.contains("client secret"))
        #expect(app.text.description.contains("The provider is off: set openid.enabled to true"))
    }

    @Test("An address with a star is refused with what helps, when a client is added and when it is changed")
    func star() async throws {
        _ = try await add(shop)
        for option in ["--redirect", "--logout-redirect"] {
            #expect(
                await isRefused("octet by octet") {
                    try await stage.done(ChangeClient.self, ["shop", option, "https://shop.example/*"])
                })
        }
        let other = ["bank", "--name", "Bank", "--public", "--redirect", "https://*.bank.example/back"]
        #expect(await isRefused("octet by octet") { try await add(other) })
    }

    @Test("What may not be is refused by a name, and no secret is written")
    func refusals() async throws {
        let file = folder.path + "/secret"
        for redirect in ["http://shop.example/", "https://u@shop.example/", "https://shop.example/#a", "javascript:1"] {
            let arguments = ["shop", "--name", "Shop", "--redirect", redirect, "--secret-file", file]
            #expect(await isRefused("redirectAddresses") { try await add(arguments) })
        }
        let redirect = ["--redirect", "https://shop.example/back"]
        let refused: [([String], String)] = [
            (["a b", "--public"] + redirect, "The member id must be a name of 1 to 64 letters"),
            (["my-devices", "--public"] + redirect, "a name of the server"),
            (["console", "--public"] + redirect, "a name of the server"),
            (["shop"] + redirect, "Give one of --secret-file"),
            (["shop", "--public"], "a client needs redirectAddresses or ciba"),
            (["shop", "--public", "--ciba", "poll"] + redirect, "ciba needs a client with a secret"),
            (["shop", "--public", "--ciba", "ping"] + redirect, "--ciba-address"),
            (["shop", "--public", "--confirmation"] + redirect, "confirmation needs a client with a secret"),
            (
                [
                    "shop", "--secret-file", file, "--require-dpop", "--ciba", "push", "--ciba-address",
                    "https://a.example/",
                ],
                "requireDPoP cannot be true with ciba push"
            ),
        ]
        for (arguments, words) in refused {
            let said = await refusal { try await add(arguments + ["--name", "Shop"]) }
            #expect(said?.contains(words) == true, "\(arguments): \(said ?? "nothing")")
        }
        #expect(PosixFiles().permissions(of: file) == nil)
    }

    @Test("A key set that verifies nothing is refused with its reason, and one with a good key among others is taken")
    func keySets() async throws {
        let good = #"{"kty":"RSA","e":"AQAB","n":"wVVV\#(String(repeating: "VVVV", count: 84))VQ","kid":"a"}"#
        let cases = [
            ("{", "must be a JSON Web Key Set"), (#"{"keys":[]}"#, "must hold a key"),
            (#"{"keys":[{}]}"#, "must hold a key"),
            (#"{"keys":[\#(good.dropLast()),"d":"AA"}]}"#, "must hold public keys only"),
            (#"{"keys":[{"kid":"x"},\#(good),\#(good)]}"#, nil),
        ]
        for (number, (text, reason)) in cases.enumerated() {
            let path = folder.path + "/keys\(number)"
            try PosixFiles().writeNew(Array(text.utf8), to: path, mode: 0o600)
            let arguments = ["c\(number)", "--name", "C", "--redirect", "https://c.example/back", "--key-set", path]
            do {
                _ = try await add(arguments)
                #expect(reason == nil)
            } catch let failure as CommandFailure {
                #expect(failure.code == "keySetUnusable" && reason.map(failure.message.contains) == true, "\(failure)")
            }
        }
    }

    @Test("An application without a secret comes back to its own scheme; one with a secret does not")
    func applications() async throws {
        let back = ["--name", "App", "--redirect", "com.example.app:/back"]
        let outcome = try await add(["app", "--public", "--origin", "https://app.example:443"] + back)
        #expect(AdministrationStage.result(outcome).contains("\"origins\":[\"https://app.example\"]"))
        let secret = ["--secret-file", folder.path + "/secret"]
        #expect(await isRefused("for public clients only") { try await add(["other"] + secret + back) })
        let private1 = ["other", "--public", "--name", "App", "--redirect"]
        for redirect in ["app:/back", "com.example.app", "com..app:/x", "com.1example:/x", "com.example.app:x"] {
            #expect(await isRefused("redirectAddresses") { try await add(private1 + [redirect]) }, "\(redirect)")
        }
    }

    @Test("A name is given once, and a file with a secret is never written over")
    func once() async throws {
        _ = try await add(shop)
        let again = ["shop", "--name", "Shop", "--redirect", "https://shop.example/back", "--public"]
        #expect(await isRefused("There is one of this name") { try await add(again) })
        let other = ["bank"] + shop.dropFirst()
        #expect(await isRefused("exists; a secret goes to a new file") { try await add(other) })
    }

    @Test("A client is changed, disabled, enabled and removed, each with a record in the audit")
    func changes() async throws {
        _ = try await add(shop)
        let set = try await stage.done(ChangeClient.self, ["shop", "--refresh", "--name", "Store"])
        let changed = AdministrationStage.result(set)
        #expect(set.text.description == "Changed the client shop." && changed.contains("\"refresh\":true"))
        #expect(changed.contains("\"name\":\"Store\""))
        #expect(changed.contains("https://shop.example/back"))
        let texts = try await stage.server.auditTexts()
        #expect(
            texts.last?.contains(
                #""clientId":"shop","changes":[{"setting":"mayRefresh","from":false,"to":true},"#
                    + #"{"setting":"name","from":"Shop","to":"Store"}]"#) == true)
        try await stage.done(DisableClient.self, ["shop"])
        #expect(
            try await stage.server.auditTexts().last?
                .contains(#"[{"setting":"disabled","from":false,"to":true}]"#) == true)
        let list = try #require(try await stage.shown(ListClients.self).first)
        #expect(list.result.objects("clients").first?["disabled"] == .bool(true))
        try await stage.done(EnableClient.self, ["shop"])
        try await stage.done(RemoveClient.self, ["shop"])
        #expect(try await stage.server.auditKinds().last == "ADMIN_CLIENT_REMOVED")
        #expect(
            await isRefused("There is no such object") { try await stage.done(RemoveClient.self, ["shop"]) })
    }

    @Test("A new secret replaces the former one; a client without one has none to replace")
    func resetting() async throws {
        _ = try await add(shop)
        let path = folder.path + "/new"
        let outcome = try await stage.done(ResetSecret.self, ["shop", "--secret-file", path])
        let content = try #require(PosixFiles().contents(of: path))
        let secret = String(decoding: content.dropLast(), as: UTF8.self)
        #expect(!outcome.text.description.contains(secret) && !AdministrationStage.result(outcome).contains(secret))
        let client = try await client()
        #expect(client.authentication == .secret(ClientSecretHash(of: content.dropLast())))
        _ = try await add(["app", "--name", "App", "--redirect", "https://app.example/back", "--public"])
        #expect(
            await isRefused("without a secret") {
                try await stage.done(ResetSecret.self, ["app", "--secret-file", path + "2"])
            })
        #expect(PosixFiles().permissions(of: path + "2") == nil)
    }
}
