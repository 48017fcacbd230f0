import Foundation
import HTTPEngine
import HTTPTypes
import Hummingbird
import HummingbirdTLS
import NIOCore
import PushSink
import ServerCore
import ServerPush
import Synchronization
import TestSupport

/// A push service over TLS that answers what a test has written down, in order; the last answer stays.
final class ScriptedService: Sendable {
    /// One answer.
    struct Answer: Sendable {
        var status: HTTPResponse.Status = .ok
        var headers: HTTPFields = [:]
        var body: String

        static let granted = Answer(body: #"{"access_token":"a","expires_in":3599,"token_type":"Bearer"}"#)
        static let accepted = Answer(body: #"{"name":"projects/p/messages/1"}"#)
    }

    private let script: Mutex<(grants: [Answer], sends: [Answer])>
    private let received = Mutex<[String]>([])

    /// Paths of the requests so far.
    var paths: [String] { received.withLock { $0 } }

    private init(grants: [Answer], sends: [Answer]) {
        script = Mutex((grants, sends))
    }

    /// Runs a service and a dispatcher that talks to it for the time of `body`.
    static func run(
        grants: [Answer] = [.granted], sends: [Answer] = [.accepted], plan: RetryPlan = .patient,
        trusts: Bool = true,
        _ body: @escaping @Sendable (ScriptedService, PushDispatcher, VirtualTimer) async throws -> Void
    ) async throws {
        let authority = try LoopbackAuthority.make(now: Date.now)
        let identity = try authority.identity(now: Date.now).identity
        let service = ScriptedService(grants: grants, sends: sends)
        try await ListeningApplication.run(
            make: { started in
                Application(
                    router: service.router(), server: try .tls(.http1(), tlsConfiguration: identity.tlsConfiguration()),
                    configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                    onServerRunning: { await started("https://127.0.0.1:\($0.localAddress?.port ?? 0)") },
                    logger: RecordedLog().logger)
            },
            body: { origin in
                let timer = VirtualTimer()
                var settings = FirebaseSettings(serviceAccountFile: "")
                settings.endpoint = origin
                let account = try SampleAccount.account().json(origin: origin)
                let dispatcher = try PushDispatcher(
                    settings: settings, account: account,
                    trustedCertificates: trusts ? Array(authority.certificatePEM.utf8) : nil, plan: plan,
                    ports: .init(
                        clock: ManualClock(), timer: timer, random: SystemRandomSource(), logger: RecordedLog().logger))
                try await body(service, dispatcher, timer)
            })
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.post("/token") { [self] request, _ in
            answer(to: request) { script in Self.next(&script.grants) }
        }
        for path in ["/v1/projects/{project}/messages:send", "/elsewhere"] {
            router.post(RouterPath(path)) { [self] request, _ in
                answer(to: request) { script in Self.next(&script.sends) }
            }
        }
        return router
    }

    private static func next(_ answers: inout [Answer]) -> Answer {
        answers.count > 1 ? answers.removeFirst() : answers[0]
    }

    private func answer(
        to request: Request, _ choose: (inout (grants: [Answer], sends: [Answer])) -> Answer
    ) -> Response {
        received.withLock { $0.append(request.uri.path) }
        let answer = script.withLock { script in choose(&script) }
        return Response(
            status: answer.status, headers: answer.headers,
            body: .init(byteBuffer: ByteBuffer(string: answer.body)))
    }
}
