import Crypto
import Foundation
import HTTPTypes
import Octets
import StrictJSON
import Testing

@testable import PhonePage

@Suite("The routes of the phone page hand over what is well-formed, and refuse the rest by name")
struct PhonePageRouteTests {
    private let secrets = PhonePageSecrets()
    private let phone = RecordedPhone()
    private let host = PhonePageHost.fresh
    private var routes: PhonePageRoutes {
        PhonePageRoutes(guards: PhonePageGuard(host: host, port: 1, secrets: secrets), phone: phone)
    }

    private func reply(
        _ path: String, _ type: String? = nil, _ body: [UInt8]? = [], question: String? = nil
    ) async -> PhonePageReply {
        let fields = [
            "Host": "\(host.address):1", "Cookie": "signet-phone=\(secrets.holder.reveal())",
            PhonePageGuard.tokenField: secrets.page.reveal(), "Content-Type": type,
            PhonePageRoutes.questionField: question,
        ]
        var headers = HTTPFields()
        for (name, value) in fields { HTTPField.Name(name).map { headers[$0] = value } }
        let method: HTTPRequest.Method = type == nil ? .get : .post
        return await routes.reply(
            to: PhonePageRequest(method: method, path: path, headers: headers, body: body))
    }

    @Test("The entry gives cookie and token once, and the page afterwards gives neither")
    func entrance() async {
        let first = await reply("/begin/\(secrets.entry.reveal())")
        #expect(first.status == .ok)
        #expect(
            first.head.headerFields[values: .setCookie]
                == ["signet-phone=\(secrets.holder.reveal()); Path=/; HttpOnly; SameSite=Strict"])
        #expect(String(decoding: first.body, as: UTF8.self).contains(secrets.page.reveal()))
        let second = await reply("/begin/\(secrets.entry.reveal())")
        #expect(second.status == .forbidden)
        let page = await reply("/")
        #expect(page.head.headerFields[.setCookie] == nil)
        #expect(!String(decoding: page.body, as: UTF8.self).contains(secrets.page.reveal()))
    }

    @Test("What the browser has kept for the origin goes with the first page, and with no other")
    func clearing() async throws {
        let name = try #require(HTTPField.Name("Clear-Site-Data"))
        #expect(await reply("/").head.headerFields[name] == nil)
        let first = await reply("/begin/\(secrets.entry.reveal())")
        #expect(first.head.headerFields[values: name] == [#""cache", "storage""#])
    }

    @Test("Style and scripts are named with the hash of what is served", arguments: ["/", "/open"])
    func integrity(path: String) async {
        let page = String(decoding: await reply(path).body, as: UTF8.self)
        for part in ["/page.css", "/page.js", "/texts.js"] {
            let hash = Data(SHA384.hash(data: await reply(part).body)).base64EncodedString()
            #expect(page.contains("\"\(part)\" integrity=\"sha384-\(hash)\""))
        }
    }

    @Test(
        "Every answer forbids frames, foreign sources and storing, and allows no other origin",
        arguments: ["/", "/open", "/no"])
    func headers(path: String) async {
        let fields = await reply(path).head.headerFields
        #expect(fields[values: .contentSecurityPolicy] == [PhonePageReply.policy])
        #expect(HTTPField.Name("X-Frame-Options").flatMap { fields[$0] } == "DENY")
        #expect(fields[values: .cacheControl] == ["no-store"])
        #expect(fields[values: .crossOriginResourcePolicy] == ["same-origin"])
        #expect(fields[.accessControlAllowOrigin] == nil)
    }

    @Test("A PIN reaches the phone with the number of its question")
    func secret() async {
        let done = await reply("/secret", "application/octet-stream", Array("492716".utf8), question: "7")
        #expect(done.status == .noContent)
        #expect(await phone.secrets == [7: 6])
    }

    private static let malformedSecrets: [([UInt8], String?)] = [
        ([], "7"), ([UInt8](repeating: 49, count: 1_025), "7"), (Array("492716".utf8), nil),
    ]

    @Test("An empty secret, one of 1,025 octets and one without a question are refused")
    func malformedSecret() async {
        for (body, question) in Self.malformedSecrets {
            let refused = await reply("/secret", "application/octet-stream", body, question: question)
            #expect(refused.status == .badRequest)
        }
        #expect(await phone.secrets.isEmpty)
    }

    @Test("A body over 1 MiB is refused before it is read")
    func tooLarge() async {
        #expect(await reply("/scan", "image/png", nil).status == .contentTooLarge)
    }

    @Test(
        "A form of another site, whose media type needs no permission, is refused",
        arguments: ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"])
    func formTypes(type: String) async {
        #expect(await reply("/action", type, Array(#"{"do":"accept"}"#.utf8), question: "1").status == .badRequest)
        #expect(await phone.actions == 0)
    }

    @Test(
        "A malformed action is refused",
        arguments: [
            "", "{", "[]", #"{"do":"sing"}"#, #"{"do":"open"}"#, #"{"do":"open","text":""}"#,
            #"{"do":"choose","number":-1}"#, #"{"do":"choose","number":"1"}"#, #"{"do":"digits","text":"1"}"#,
            #"{"do":"digits","text":"12a4"}"#,
            #"{"do":"accept","do":"accept"}"#,
        ])
    func malformedAction(body: String) async {
        #expect(await reply("/action", "application/json", Array(body.utf8), question: "1").status == .badRequest)
        #expect(await phone.actions == 0)
    }

    @Test("A link of 4,096 octets is handed over, and one octet more is refused")
    func linkLength() async {
        for (count, status) in [(4_096, HTTPResponse.Status.noContent), (4_097, .contentTooLarge)] {
            let body = #"{"do":"open","text":"\#(String(repeating: "a", count: count))"}"#
            #expect(await reply("/action", "application/json", Array(body.utf8)).status == status)
        }
        #expect(await phone.actions == 1)
    }

    @Test("The state is JSON with the number that the page names next time")
    func state() async {
        let answer = await reply("/state")
        #expect(answer.type == "application/json")
        #expect(answer.body == Array(#"{"revision":3}"#.utf8))
    }
}

/// Phone that notes what reaches it.
private actor RecordedPhone: PhonePageService {
    /// Lengths of the secrets, by the number of their question.
    private(set) var secrets: [UInt64: Int] = [:]
    private(set) var actions = 0

    func state(unlike known: UInt64?) async -> PhonePageState {
        PhonePageState(revision: 3, body: Array(#"{"revision":3}"#.utf8))
    }

    func perform(_ action: PhonePageAction, answering question: UInt64?) async throws(PhonePageRefusal) { actions += 1 }

    func provide(_ secret: consuming SecretOctets, answering question: UInt64) async throws(PhonePageRefusal) {
        secrets[question] = secret.count
    }
}
