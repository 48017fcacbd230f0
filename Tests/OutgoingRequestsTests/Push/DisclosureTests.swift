import BackendAPI
import Octets
import ServerCore
import TestSupport
import Testing
import UAF

@testable import PushSink
@testable import ServerPush

@Suite("SDK-15: access tokens, messages and registration tokens of the push service are not printed")
struct DisclosureTests {
    private static let canary = "canary-7f3a9c51d2"

    @Test("Neither the server's side nor the sink's shows one")
    func printing() {
        let now = SystemWallClock().now()
        let parcel = DispatchPayload(
            envelope: .init(content: Self.canary, contentType: "application/jose", version: "1", text: Self.canary),
            destination: PushDestination(Self.canary), notification: nil, operation: .authentication, createdAt: now,
            expiresAt: now)
        let message = FCMMessage(parcel, registrationToken: Self.canary, isDryRun: true)
        let request = PushRequest(
            url: "https://push.example", contentType: "application/json", authorization: Sensitive(Self.canary),
            body: message.body)
        let values: [Any] = [
            parcel, message, request, TokenAnswer.granted(bearer: Sensitive(Self.canary), lifetime: .seconds(1)),
            PushServiceToken(authorization: Sensitive("Bearer \(Self.canary)"), usableUntil: .zero, number: 1),
            SinkBehaviour(
                answer: .slow, registrationToken: Sensitive(Self.canary), count: 1, retryAfterSeconds: nil,
                delay: .zero),
            SinkMessage(
                registrationToken: Sensitive(Self.canary), title: nil, body: nil, data: [], timeToLive: .zero,
                apnsExpiration: nil, isDryRun: true),
        ]
        for value in values { #expect(!Disclosure.shows(Self.canary, in: value), "\(type(of: value))") }
        #expect("\(request)".contains("push.example"))
    }
}
