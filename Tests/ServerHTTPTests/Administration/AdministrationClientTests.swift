import HTTPTypes
import HummingbirdTesting
import NIOCore
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

@testable import ServerHTTP

@Suite("Administration: clients")
struct AdministrationClientTests {
    private typealias Request = AdministrationFixture.Request

    private static let shop =
        #"{"id":"shop","name":"Shop","proof":"secret","redirectAddresses":["https://shop.example/back"]}"#

    private func add(_ body: String, on stage: AdministrationFixture) async throws -> TestResponse {
        try await stage.send(.post, "/clients", as: "admin:operator", Request(body: body, reason: "ticket 4713"))
    }

    @Test("A client is added with a secret that is shown once, and kept as a hash")
    func adds() async throws {
        let stage = try await AdministrationFixture()
        let added = try await add(Self.shop, on: stage)
        #expect(added.status == .created && added.headers[.cacheControl] == "no-store")
        let secret = try added.object.string("secret")
        let read = try await stage.send(.get, "/clients/shop", as: "admin:auditor")
        #expect(read.status == .ok && read.headers[.eTag] == added.headers[.eTag])
        #expect(read.object["secret"] == nil && !String(buffer: read.body).contains(secret))
        let record = try await stage.lastRecord()
        #expect(record["event"] == .string("ADMIN_CLIENT_ADDED") && record["clientId"] == .string("shop"))
        #expect(record["note"] == .string("ticket 4713"))
        let stored = try await ClientAdministration(stage.sites).all().first?.client
        #expect(stored?.authentication == .secret(ClientSecretHash(of: secret.utf8)))
        #expect(stored?.idTokenAlgorithm == .rs256 && stored?.attributeScopes == ScopeName.ofNewClients)
        let again = try await add(Self.shop, on: stage)
        #expect(again.status == .conflict && !String(buffer: again.body).contains("secret"))
    }

    @Test("Every setting comes out as it went in")
    func settings() async throws {
        let stage = try await AdministrationFixture()
        let body = """
            {"id":"bank.app","name":"Bank","proof":"https://bank.example/keys","redirectAddresses":["https://bank.example/b"],\
            "logoutRedirectAddresses":["https://bank.example/bye"],"logoutAddress":"https://bank.example/logout",\
            "ciba":"ping https://bank.example/ping","idTokenAlgorithm":"ES256","scopes":["groups"],"requirePKCE":true,"requireDPoP":true,\
            "requirePushedRequests":true,"refresh":true,"logoutEndsOfflineAccess":true,"confirmation":true,\
            "origins":["https://bank.example"]}
            """
        let added = try await add(body, on: stage)
        #expect(added.status == .created && added.object["secret"] == nil)
        let given = try JSONParser.parse(Array(body.utf8)).asObject()
        for member in given.members where member.name != "scopes" {
            #expect(added.object[member.name] == member.value, "\(member.name)")
        }
        #expect(added.object["scopes"] == .array(["openid", "groups", "offline_access"].map { .string($0) }))
    }

    @Test("What is missing, unknown or unsafe is named, and nothing is written")
    func refusals() async throws {
        let stage = try await AdministrationFixture()
        let back = #""redirectAddresses":["https://a.example/"]"#
        let bodies: [(body: String, status: Int, named: String)] = [
            ("{}", 400, "id"), (#"{"id":"a b","name":"A","proof":"secret"}"#, 400, "id"),
            (#"{"id":"a","name":"","proof":"secret"}"#, 400, "name"),
            (#"{"id":"a","name":"A","proof":"pin"}"#, 400, "proof"),
            (#"{"id":"a","name":"A","proof":"secret","keys":{"keys":[]},\#(back)}"#, 400, "keys"),
            (#"{"id":"a","name":"A","proof":"keys",\#(back)}"#, 400, "proof"),
            (#"{"id":"a","name":"A","proof":"secret","secret":"mine",\#(back)}"#, 400, ""),
            (
                #"{"id":"a","name":"A","proof":"secret","redirectAddresses":["http://a.example/*"]}"#, 400,
                "redirectAddresses"
            ),
            (#"{"id":"a","name":"A","proof":"secret","ciba":"ping",\#(back)}"#, 400, "ciba"),
            (#"{"id":"a","name":"A","proof":"secret","scopes":["openid"],\#(back)}"#, 400, "scopes"),
            (#"{"id":"a","name":"A","proof":"secret"}"#, 422, ""),
            (
                #"{"id":"a","name":"A","proof":"secret","requireDPoP":true,"ciba":"push https://a.example/p",\#(back)}"#,
                422, ""
            ),
            (#"{"id":"a","name":"A","proof":"none","confirmation":true,\#(back)}"#, 422, ""),
            (#"{"id":"a","name":"A","proof":"secret","redirectAddresses":["com.example.app:/back"]}"#, 422, ""),
            (#"{"id":"my-devices","name":"A","proof":"secret",\#(back)}"#, 422, ""),
        ]
        for (body, status, named) in bodies {
            let answer = try await add(body, on: stage)
            #expect(Int(answer.status.code) == status, "\(body): \(answer.status)")
            let member = (try answer.object.optionalString("member") ?? "").split(separator: ".").first.map(String.init)
            #expect(member ?? "" == named, "\(body): \(member ?? "")")
        }
        #expect(try await ClientAdministration(stage.sites).all().isEmpty)
    }

    @Test("Settings that are named are changed, null removes one, and what is wrong is named and changes nothing")
    func changes() async throws {
        let stage = try await AdministrationFixture()
        _ = try await add(Self.shop, on: stage)
        func change(_ body: String) async throws -> TestResponse {
            try await stage.change(.patch, "/clients/shop", as: "admin:operator", body)
        }
        let changed = try await change(#"{"refresh":true,"logoutAddress":"https://shop.example/out","disabled":true}"#)
        #expect(changed.status == .ok && changed.object["disabled"] == .bool(true))
        #expect(changed.object["refresh"] == .bool(true) && changed.object["name"] == .string("Shop"))
        let removed = try await change(#"{"logoutAddress":null,"disabled":false}"#)
        #expect(removed.status == .ok && removed.object["logoutAddress"] == nil)
        let before = try await stage.send(.get, "/clients/shop", as: "admin:auditor").headers[.eTag]
        for (body, status) in [
            (#"{"ciba":"push"}"#, 400), (#"{"refresh":"yes"}"#, 400), (#"{"proof":"none"}"#, 400), ("{}", 400),
            (#"{"redirectAddresses":[]}"#, 422), (#"{"redirectAddresses":["com.example.app:/back"]}"#, 422),
        ] {
            #expect(try await Int(change(body).status.code) == status, "\(body)")
        }
        #expect(try await stage.send(.get, "/clients/shop", as: "admin:auditor").headers[.eTag] == before)
    }

    @Test("A new secret is shown once, ends the old one and is in no record; only an operator gets it")
    func secrets() async throws {
        let stage = try await AdministrationFixture()
        let old = try await add(Self.shop, on: stage).object.string("secret")
        let refused = try await stage.send(
            .post, "/client-secrets/shop", as: "admin:help-desk", Request(reason: "ticket"))
        #expect(refused.status == .forbidden)
        let reset = try await stage.send(.post, "/client-secrets/shop", as: "admin:operator", Request(reason: "leaked"))
        let secret = try reset.object.string("secret")
        #expect(reset.status == .ok && reset.headers[.cacheControl] == "no-store" && secret != old)
        let stored = try await ClientAdministration(stage.sites).all().first?.client
        #expect(stored?.authentication == .secret(ClientSecretHash(of: secret.utf8)))
        let record = try await stage.lastRecord()
        #expect(record["event"] == .string("ADMIN_CLIENT_CHANGED") && record["note"] == .string("leaked"))
        #expect(!JSONWriter.text(.object(record)).contains(secret))
    }
}
