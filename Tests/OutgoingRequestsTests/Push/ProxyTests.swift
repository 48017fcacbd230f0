import HTTPTypes
import Hummingbird
import PushSink
import ServerCore
import ServerPush
import Synchronization
import TestSupport
import Testing

@Suite("2.4: The proxy on the way to the push service")
struct ProxyTests {
    /// A proxy that lets no request through and remembers who asked.
    private final class Gate: Sendable {
        private let asked = Mutex<[HTTPRequest]>([])

        var requests: [HTTPRequest] { asked.withLock { $0 } }

        func application(started: @escaping @Sendable (String) async -> Void) -> Application<
            CallbackResponder<BasicRequestContext>
        > {
            Application(
                responder: CallbackResponder { [self] (request: Request, _: BasicRequestContext) in
                    asked.withLock { $0.append(request.head) }
                    return Response(status: .proxyAuthenticationRequired)
                }, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: { await started(String($0.localAddress?.port ?? 0)) },
                logger: RecordedLog().logger)
        }
    }

    @Test("Everything goes to the proxy, with our login there and nothing for it to read; its refusal is final")
    func refusal() async throws {
        let gate = Gate()
        try await ListeningApplication.run(
            make: { started in gate.application(started: started) },
            body: { port in
                var settings = FirebaseSettings(serviceAccountFile: "")
                settings.endpoint = "https://push.invalid"
                settings.proxy = PushProxy(
                    host: "127.0.0.1", port: Int(port) ?? 0, login: .init(user: "signet", password: "p:w"))
                let timer = VirtualTimer()
                let dispatcher = try Stages.dispatcher(settings, tokenOrigin: "https://push.invalid", timer: timer)
                #expect(await dispatcher.dispatch(.sample(for: "device")) == .failed(.refused))
                #expect(timer.pauses.isEmpty)
            })
        let request = try #require(gate.requests.first)
        #expect(gate.requests.count == 1)
        #expect(request.method == .connect)
        #expect(request.authority?.hasPrefix("push.invalid") == true)
        #expect(request.headerFields[.proxyAuthorization] == "Basic c2lnbmV0OnA6dw==")
        #expect(request.headerFields[.authorization] == nil)
    }
}
