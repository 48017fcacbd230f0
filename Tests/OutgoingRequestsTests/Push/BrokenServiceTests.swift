import HTTPTypes
import ServerCore
import ServerPush
import Testing

@Suite("2.4: A push service that is broken or hostile")
struct BrokenServiceTests {
    private typealias Answer = ScriptedService.Answer

    @Test(
        "An answer that cannot be understood is no delivery, and is not asked for twice",
        arguments: [
            "", "{", "[]", "null", #"{"name":7}"#, #"{"name":""}"#, #"{"name":"a","name":"b"}"#, #"{"name":"\u0007"}"#,
            "<html>", String(repeating: "[", count: 20_000),
            #"{"name":""# + String(repeating: "x", count: 600) + #""}"#,
        ])
    func malformed(_ body: String) async throws {
        try await ScriptedService.run(sends: [Answer(body: body)]) { service, dispatcher, timer in
            #expect(await dispatcher.dispatch(.sample(for: "device")) == .failed(.unavailable))
            #expect(service.paths.count == 2)
            #expect(timer.pauses.isEmpty)
        }
    }

    @Test("An answer larger than 64 KiB is not read")
    func oversized() async throws {
        let body = #"{"name":"a","x":""# + String(repeating: "x", count: 70_000) + #""}"#
        try await ScriptedService.run(sends: [Answer(body: body)]) { service, dispatcher, _ in
            #expect(await dispatcher.dispatch(.sample(for: "device")) == .failed(.unavailable))
            #expect(service.paths.count == 2)
        }
    }

    @Test("A redirect is not followed, so no other server gets the message", arguments: [301, 302, 307, 308])
    func redirect(_ status: Int) async throws {
        let answer = Answer(status: .init(code: status), headers: [.location: "/elsewhere"], body: "")
        try await ScriptedService.run(sends: [answer]) { service, dispatcher, _ in
            #expect(await dispatcher.dispatch(.sample(for: "device")).isDelivered == false)
            #expect(!service.paths.contains("/elsewhere"))
        }
    }

    @Test("A server whose certificate has no trusted issuer gets neither assertion nor message")
    func untrusted() async throws {
        try await ScriptedService.run(trusts: false) { service, dispatcher, timer in
            #expect(await dispatcher.dispatch(.sample(for: "device")) == .failed(.refused))
            #expect(service.paths.isEmpty)
            #expect(timer.pauses.isEmpty)
        }
    }

    @Test("A service that is not there is tried again within the deadline, then given up")
    func absent() async throws {
        var settings = FirebaseSettings(serviceAccountFile: "")
        settings.endpoint = "https://127.0.0.1:1"
        let timer = VirtualTimer()
        let dispatcher = try Stages.dispatcher(settings, tokenOrigin: "https://127.0.0.1:1", timer: timer)
        #expect(await dispatcher.dispatch(.sample(for: "device")) == .failed(.unavailable))
        #expect(timer.pauses.count >= 2)
    }

    // MARK: - Access tokens

    @Test(
        "Without an access token nothing is sent",
        arguments: [
            (400, #"{"error":"invalid_grant"}"#), (401, #"{"error":"invalid_client"}"#), (403, ""), (404, "<html>"),
        ])
    func refusedGrant(_ status: Int, _ body: String) async throws {
        let grant = Answer(status: .init(code: status), body: body)
        try await ScriptedService.run(grants: [grant]) { service, dispatcher, _ in
            #expect(await dispatcher.dispatch(.sample(for: "device")) == .failed(.refused))
            #expect(service.paths == ["/token"])
        }
    }

    @Test(
        "A grant that cannot be used is none",
        arguments: [
            "", "{}", #"{"access_token":"a","expires_in":3599}"#,
            #"{"access_token":"a","expires_in":3599,"token_type":"mac"}"#,
            #"{"access_token":"a\r\nX-Evil: 1","expires_in":3599,"token_type":"Bearer"}"#,
            #"{"access_token":"","expires_in":3599,"token_type":"Bearer"}"#,
            #"{"access_token":"a","expires_in":0,"token_type":"Bearer"}"#,
            #"{"access_token":"a","expires_in":1e9,"token_type":"Bearer"}"#,
            #"{"access_token":"a","expires_in":"3599","token_type":"Bearer"}"#,
        ])
    func malformedGrant(_ body: String) async throws {
        try await ScriptedService.run(grants: [Answer(body: body)]) { service, dispatcher, _ in
            #expect(await dispatcher.dispatch(.sample(for: "device")) == .failed(.unavailable))
            #expect(Set(service.paths) == ["/token"])
        }
    }

    @Test("A token service that is overloaded for a moment only delays the message")
    func busyGrant() async throws {
        let busy = Answer(status: .serviceUnavailable, headers: [.retryAfter: "3"], body: "")
        try await ScriptedService.run(grants: [busy, .granted]) { _, dispatcher, timer in
            #expect(await dispatcher.dispatch(.sample(for: "device")).isDelivered)
            #expect(timer.pauses == [.seconds(3)])
        }
    }

    // MARK: - Refusals of the message service

    private static func refusal(_ status: Int, _ code: String?) -> Answer {
        let detail = code.map {
            #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#($0)"}"#
        }
        return Answer(
            status: .init(code: status),
            body: #"{"error":{"code":\#(status),"message":"m","status":"S","details":[\#(detail ?? "")]}}"#)
    }

    @Test("Only what the service calls unregistered removes a push token")
    func unregistered() async throws {
        let cases: [(Answer, DispatchFailure)] = [
            (Self.refusal(404, "UNREGISTERED"), .unregistered), (Self.refusal(404, nil), .refused),
            (Self.refusal(400, "UNREGISTERED"), .refused), (Self.refusal(403, "SENDER_ID_MISMATCH"), .refused),
            (Answer(status: .notFound, body: "<html>"), .refused),
            (Self.refusal(401, "THIRD_PARTY_AUTH_ERROR"), .refused),
        ]
        for (answer, failure) in cases {
            try await ScriptedService.run(sends: [answer]) { service, dispatcher, _ in
                #expect(await dispatcher.dispatch(.sample(for: "device")) == .failed(failure))
                #expect(service.paths.count == 2)
            }
        }
    }

    @Test("Every temporary refusal is tried again", arguments: [429, 500, 502, 503, 504])
    func temporary(_ status: Int) async throws {
        let busy = Answer(status: .init(code: status), body: "")
        try await ScriptedService.run(sends: [busy, busy, .accepted]) { service, dispatcher, timer in
            #expect(await dispatcher.dispatch(.sample(for: "device")) == .delivered(response: "projects/p/messages/1"))
            #expect(service.paths.count == 4)
            #expect(timer.pauses.count == 2)
        }
    }
}
