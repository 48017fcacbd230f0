import Foundation
import MobileAuthentication
import MobileAuthenticationTestKit
import Octets
import StrictJSON
import Synchronization
import Testing

@testable import PhonePage

@Suite("The phone of the page does what is asked of it, once and at its time")
struct PagePhoneTests {
    private static let server = "https://127.0.0.1:9"

    private static func made() async throws -> (phone: PagePhone, ports: FolderStub) {
        let device = try await TestPhone(server: try #require(URL(string: server)))
        let ports = FolderStub(device)
        return (PagePhone(client: device.client, ports: ports), ports)
    }

    private static func state(_ phone: PagePhone) async throws -> JSONObject {
        try JSONParser.parse(await phone.state(unlike: nil).body).asObject()
    }

    @Test("A fresh phone asks nothing, has no account, and says where its keys are")
    func fresh() async throws {
        let (phone, _) = try await Self.made()
        let state = try await Self.state(phone)
        #expect(state["question"] == .null)
        #expect(state["accounts"] == .array([]))
        #expect(state["busy"] == .bool(false))
        let described = try #require(state["phone"]).asObject()
        #expect(described["keyProtection"] == .string("software"))
        #expect(described["name"] == .string("Anna\\u{202E}"))
    }

    @Test("The token of push messages is not in the state")
    func noToken() async throws {
        let (phone, _) = try await Self.made()
        let body = String(decoding: await phone.state(unlike: nil).body, as: UTF8.self)
        #expect(body.contains(#""push":true"#))
        #expect(!body.contains(FolderStub.canary))
    }

    @Test(
        "What is no link and no code is refused, and nothing begins",
        arguments: ["javascript:alert(1)", "https://evil.example/", "{", "eyJ", "mailto:a@b?dispatchTokenResponse=!"])
    func foreignLink(text: String) async throws {
        let (phone, _) = try await Self.made()
        await #expect(throws: PhonePageRefusal.malformed) { try await phone.perform(.open(text), answering: nil) }
        #expect(try await Self.state(phone)["busy"] == .bool(false))
    }

    @Test("A link of more than 4,096 octets is refused as too large")
    func longLink() async throws {
        let (phone, _) = try await Self.made()
        let link = String(repeating: "a", count: 4_097)
        await #expect(throws: PhonePageRefusal.tooLarge) { try await phone.perform(.open(link), answering: nil) }
    }

    @Test("An answer to a question that is not asked is refused, whatever it is")
    func noQuestion() async throws {
        let (phone, _) = try await Self.made()
        for action in [PhonePageAction.accept, .decline(isReported: true), .digits("12"), .choose(0)] {
            await #expect(throws: PhonePageRefusal.notNow) { try await phone.perform(action, answering: 1) }
        }
        await #expect(throws: PhonePageRefusal.notNow) {
            try await phone.provide(SecretOctets(copying: "492716".utf8), answering: 1)
        }
    }

    @Test("A secret of 1,025 octets and an empty one are refused before the question is looked for")
    func secretLength() async throws {
        let (phone, _) = try await Self.made()
        for count in [0, 1_025] {
            await #expect(throws: PhonePageRefusal.malformed) {
                try await phone.provide(SecretOctets(copying: [UInt8](repeating: 49, count: count)), answering: 1)
            }
        }
    }

    @Test("A pending operation and an account that are not there are refused")
    func outOfRange() async throws {
        let (phone, _) = try await Self.made()
        await #expect(throws: PhonePageRefusal.malformed) { try await phone.perform(.choose(0), answering: nil) }
        await #expect(throws: PhonePageRefusal.malformed) {
            try await phone.perform(.settings(.deregister(account: 0)), answering: nil)
        }
        await #expect(throws: PhonePageRefusal.notNow) {
            try await phone.perform(.settings(.changePIN), answering: nil)
        }
    }

    @Test("N-L13: of the push messages the newest 32 wait, and what is no message leaves them")
    func manyMessages() async throws {
        let (phone, _) = try await Self.made()
        for number in 1...40 {
            let text =
                #"{"nma_data":{"token":"t","redeem_url":"https://127.0.0.1:9/r"},"nma_data_content_type":"application/json","#
                + #""nma_data_version":"1"}"#
            await phone.arrived(Sensitive(Base64URL.encode(Array(text.utf8))), title: "message \(number)")
        }
        await phone.arrived(Sensitive("{"), title: "no message")
        guard case .array(let waiting)? = try await Self.state(phone)["pending"] else { return #expect(Bool(false)) }
        let titles = try waiting.map { try $0.asObject()["title"] }
        #expect(titles == (9...40).reversed().map { .string("message \($0)") })
    }

    @Test("The phone is renamed, and a name of 129 octets is refused")
    func rename() async throws {
        let (phone, ports) = try await Self.made()
        await #expect(throws: PhonePageRefusal.malformed) {
            try await phone.perform(.settings(.rename(String(repeating: "a", count: 129))), answering: nil)
        }
        let before = await phone.state(unlike: nil).revision
        try await phone.perform(.settings(.rename("Ben")), answering: nil)
        var state = await phone.state(unlike: before)
        while try JSONParser.parse(state.body).asObject()["busy"] == .bool(true) {
            state = await phone.state(unlike: state.revision)
        }
        #expect(ports.name == "Ben")
    }

    @Test("A lost phone is told to its folder, and takes nothing any more")
    func lose() async throws {
        let (phone, ports) = try await Self.made()
        #expect(!ports.isLost)
        try await phone.perform(.settings(.lose), answering: nil)
        #expect(ports.isLost)
        #expect(try await Self.state(phone)["lost"] == .bool(true))
        await #expect(throws: PhonePageRefusal.notNow) { try await phone.perform(.fetchPending, answering: nil) }
    }

    @Test("A page that waits is woken by a change, and by its own end")
    func waiting() async throws {
        let (phone, _) = try await Self.made()
        let known = await phone.state(unlike: nil).revision
        let waiting = Task { await phone.state(unlike: known).revision }
        try await phone.perform(.settings(.rename("Ben")), answering: nil)
        #expect(await waiting.value > known)
        let clock = ContinuousClock()
        let start = clock.now
        let given = Task { await phone.state(unlike: await phone.state(unlike: nil).revision).revision }
        given.cancel()
        _ = await given.value
        #expect(clock.now - start < .seconds(10))
    }
}

/// Folder of a phone that exists in memory only.
private final class FolderStub: PhonePagePorts {
    static let canary = "canary-of-the-push-token"

    private let device: TestPhone
    private let state = Mutex((name: "Anna\u{202E}", isLost: false))

    init(_ device: TestPhone) { self.device = device }

    var name: String { state.withLock { $0.name } }
    var isLost: Bool { state.withLock { $0.isLost } }
    var server: String { "https://127.0.0.1:9" }
    var folder: String { "/phone" }
    var pushToken: Sensitive<String>? { Sensitive(Self.canary) }

    func payload(of text: String) throws -> OutOfBandPayload {
        try device.client.operations.outOfBandPayloadDecode.base64UrlEncoded(text).perform()
    }

    func stored() -> [PhonePageStoredFile] { [PhonePageStoredFile(name: "device.json", byteCount: 3)] }

    func rename(to name: String) throws { state.withLock { $0.name = name } }

    func lose() { state.withLock { $0.isLost = true } }
}
