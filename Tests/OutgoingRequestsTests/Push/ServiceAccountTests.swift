import JOSE
import PushSink
import ServerCore
import ServerPush
import StrictJSON
import TestSupport
import Testing

@Suite("2.4: The file of the service account")
struct ServiceAccountTests {
    private func file(_ change: (inout [String: JSONValue]) -> Void = { _ in }) throws -> [UInt8] {
        let made = try SampleAccount.account().json(origin: "https://127.0.0.1:9443")
        let members = try JSONParser.parse(made, limits: .document).asObject().members
        var values = Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value) })
        change(&values)
        let object = JSONObject(distinct: values.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })
        return JSONWriter.write(.object(object))
    }

    @Test("A file with all that is needed is taken; what else stands in it does not matter")
    func complete() throws {
        let account = try ServiceAccount(json: file { $0["universe_domain"] = .string("googleapis.com") })
        #expect(account.projectID.hasPrefix("push-sink-"))
        #expect(account.tokenAddress.text == "https://127.0.0.1:9443/token")
        #expect(try #require(account.publicKey).verificationAlgorithm() == .rs256)
    }

    @Test(
        "A file without one of its members is refused, with the member's name",
        arguments: ["type", "project_id", "private_key_id", "private_key", "client_email", "token_uri"])
    func missing(_ name: String) throws {
        let file = try file { $0[name] = nil }
        #expect(throws: ServerPushError.unusableServiceAccount(.member(name: name))) {
            try ServiceAccount(json: file)
        }
    }

    @Test(
        "A member of another form is refused",
        arguments: [
            ("type", "authorized_user"), ("project_id", "../other"), ("project_id", "a/b"), ("project_id", ""),
            ("token_uri", "http://127.0.0.1/token"), ("token_uri", "https://u@host/token"), ("client_email", "a\nb"),
        ])
    func form(_ name: String, _ value: String) throws {
        let file = try file { $0[name] = .string(value) }
        #expect(throws: ServerPushError.unusableServiceAccount(.member(name: name))) {
            try ServiceAccount(json: file)
        }
    }

    @Test("A key that is no RSA key is refused, and the error does not show it")
    func key() throws {
        let file = try file {
            $0["private_key"] = .string("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----")
        }
        #expect(throws: ServerPushError.unusableServiceAccount(.privateKey)) { try ServiceAccount(json: file) }
    }

    @Test("What is no JSON object, or too long, or names a member twice, is refused")
    func malformed() throws {
        let twice = try file().dropLast() + Array(#","type":"service_account"}"#.utf8)
        let long = try file { $0["x"] = .string(String(repeating: "x", count: 70_000)) }
        for file in [[], Array("[]".utf8), Array("{".utf8), Array(twice), long] {
            #expect(throws: ServerPushError.unusableServiceAccount(.malformed)) { try ServiceAccount(json: file) }
        }
    }

    @Test("The sink takes back the file that it has made, and no other")
    func sinkAccount() throws {
        let made = try SampleAccount.account()
        let file = made.json(origin: "https://127.0.0.1:1")
        #expect(try SinkAccount(json: file).json(origin: "https://127.0.0.1:1") == file)
        let foreign = try self.file { $0["client_email"] = .string("a@project.iam.gserviceaccount.com") }
        #expect(throws: PushSinkError.foreignServiceAccount) { try SinkAccount(json: foreign) }
    }
}
