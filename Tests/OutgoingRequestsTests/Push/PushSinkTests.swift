import NIOHTTP1
import PushSink
import ServerCore
import ServerPush
import StrictJSON
import TestSupport
import Testing
import UAF

@Suite("The push sink is as strict as the service it stands in for")
struct PushSinkTests {
    private static func grant(_ assertion: String) -> [UInt8] {
        Array("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)".utf8)
    }

    private static let form: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]

    @Test("An assertion of another key, for another service, or of another time gets no access token")
    func assertions() async throws {
        try await SinkStage.run { stage in
            func status(_ account: SinkAccount, origin: String, now: Int64) async throws -> Int {
                let file = account.json(origin: origin)
                let assertion = try #require(try ServiceAccount(json: file).assertion(now: now))
                return try await stage.client.send(.POST, "/token", Self.form, Self.grant(assertion)).status
            }
            let now = stage.clock.now().seconds
            #expect(try await status(stage.account, origin: stage.origin, now: now) == 200)
            let other = try SinkAccount.make(random: SystemRandomSource())
            #expect(try await status(other, origin: stage.origin, now: now) == 400)
            #expect(try await status(stage.account, origin: "https://127.0.0.1:2", now: now) == 400)
            #expect(try await status(stage.account, origin: stage.origin, now: now - 4_000) == 400)
            #expect(try await status(stage.account, origin: stage.origin, now: now + 120) == 400)
        }
    }

    @Test(
        "A request for an access token that is none is refused", arguments: ["", "a", "grant_type=x&assertion=a.b.c"])
    func malformedGrants(_ body: String) async throws {
        try await SinkStage.run { stage in
            let status = try await stage.client.send(.POST, "/token", Self.form, Array(body.utf8)).status
            #expect(status == 400)
        }
    }

    @Test("A message without an access token, or with a foreign one, is refused")
    func authorization() async throws {
        try await SinkStage.run { stage in
            let path = "/v1/projects/p/messages:send"
            let bare = try await stage.client.send(.POST, path, [:], Array("{}".utf8)).status
            #expect(bare == 401)
            let foreign: HTTPHeaders = ["Authorization": "Bearer ya29.other"]
            let stranger = try await stage.client.send(.POST, path, foreign, Array("{}".utf8)).status
            #expect(stranger == 401)
        }
    }

    @Test("A message of more than 4096 bytes, and one for another project, are refused")
    func limits() async throws {
        try await SinkStage.run { stage in
            let token = try await stage.register()
            let sample = DispatchPayload.sample(for: token)
            let long = DispatchPayload(
                envelope: .init(
                    content: String(repeating: "x", count: 4_096), contentType: "application/jose", version: "1",
                    text: ""),
                destination: sample.destination, notification: nil, operation: .authentication,
                createdAt: sample.createdAt, expiresAt: sample.expiresAt)
            #expect(await (try stage.dispatcher()).dispatch(long) == .failed(.refused))
        }
    }

    @Test("A message that was not fetched in its time is dropped")
    func expiry() async throws {
        try await SinkStage.run { stage in
            let token = try await stage.register()
            _ = await (try stage.dispatcher()).dispatch(.sample(for: token))
            stage.clock.advance(by: .seconds(119))
            #expect(try await stage.messages(for: token).count == 1)
            stage.clock.advance(by: .seconds(1))
            #expect(try await stage.messages(for: token).isEmpty)
        }
    }

    @Test("A phone that says what it has gets only what came later")
    func order() async throws {
        try await SinkStage.run { stage in
            let token = try await stage.register()
            let dispatcher = try stage.dispatcher()
            for _ in 0..<3 { _ = await dispatcher.dispatch(.sample(for: token)) }
            let all = try await stage.messages(for: token)
            #expect(all.map { $0["number"] } == [.integer(1), .integer(2), .integer(3)])
            #expect(try await stage.messages(for: token, after: 2).count == 1)
            #expect(try await stage.messages(for: token, after: 3).isEmpty)
        }
    }

    @Test("Routes for unknown phones and unknown behaviours refuse")
    func unknown() async throws {
        try await SinkStage.run { stage in
            let unknown = try await stage.client.send(.GET, "/sink/devices/none/messages").status
            #expect(unknown == 404)
            let token = try await stage.register()
            let tooLong = try await stage.client.send(.GET, "/sink/devices/\(token)/messages?wait=61").status
            #expect(tooLong == 400)
            let json: HTTPHeaders = ["Content-Type": "application/json"]
            let wrong = Array(#"{"answer":"explode"}"#.utf8)
            let explosion = try await stage.client.send(.POST, "/sink/behaviour", json, wrong).status
            #expect(explosion == 400)
        }
    }

    @Test("O-C1: a count of answers that cannot be counted down is refused; it ended the sink at the next message")
    func uncountable() async throws {
        try await SinkStage.run { stage in
            let json: HTTPHeaders = ["Content-Type": "application/json"]
            for count in ["-1", "-9223372036854775808"] {
                let body = Array(#"{"answer":"unavailable","count":\#(count)}"#.utf8)
                let status = try await stage.client.send(.POST, "/sink/behaviour", json, body).status
                #expect(status == 400)
            }
            let largest = Array(#"{"answer":"unavailable","count":9223372036854775807}"#.utf8)
            let status = try await stage.client.send(.POST, "/sink/behaviour", json, largest).status
            #expect(status == 204)
        }
    }

    @Test("It listens on this machine only")
    func loopback() throws {
        let sink = PushSink(
            account: try SampleAccount.account(), clock: ManualClock(),
            random: SystemRandomSource(), logger: RecordedLog().logger)
        let identity = try Certificates.loopback()
        #expect(throws: PushSinkError.outsideLoopback) {
            try sink.application(address: ListenerAddress(host: "0.0.0.0", port: 0), identity: identity) { _ in }
        }
    }
}
