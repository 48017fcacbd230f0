import HTTPTypes
import Hummingbird
import HummingbirdTLS
import Logging
import NIOCore
package import NIOSSL
import ServiceLifecycle
import Synchronization

/// A real TLS server on loopback with the few routes that transports are tested against.
package enum LoopbackServer {
    /// What a test learns about the server it talks to.
    package final class Observer: Sendable {
        private let requests = Mutex<[String]>([])

        /// `METHOD path header=value;... body` of every request that arrived, in order.
        package var seen: [String] { requests.withLock { $0 } }

        /// Nothing learned yet.
        package init() {}

        func note(_ text: String) {
            requests.withLock { $0.append(text) }
        }
    }

    /// What `/cookies` sets: dates and values with commas, with and without attributes.
    package static let cookies = [
        "first=1; Path=/; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Secure", "second=\"a, b\"; Path=/x", "third=3",
    ]

    /// Runs a server for the length of `body`, which gets its port; without TLS where no configuration is given.
    package static func run(
        _ tls: TLSConfiguration?, observer: Observer = Observer(),
        _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        var logger = Logger(label: "test server")
        logger.logLevel = .critical
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router(observer),
            server: try tls.map { try .tls(.http1(), tlsConfiguration: $0) } ?? .http1(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in announce.yield(channel.localAddress?.port ?? 0) }, logger: logger)
        var lifecycle = ServiceGroupConfiguration(services: [application], logger: logger)
        // Handlers that come to no end are cancelled then.
        lifecycle.maximumGracefulShutdownDuration = .seconds(1)
        let service = ServiceGroup(configuration: lifecycle)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            group.addTask {
                for await port in ports {
                    try await body(port)
                    break
                }
                // Not cancelled: a connection that is accepted at that moment would never be given up, and NIO ends
                // the process for that.
                await service.triggerGracefulShutdown()
            }
            while (try await group.next()) != nil {}
        }
    }

    private static func router(_ observer: Observer) -> Router<BasicRequestContext> {
        let router = Router()
        router.get("/hello") { request, _ in
            observer.note(description(of: request))
            return "hello"
        }
        router.post("/echo") { request, _ in
            let body = try await request.body.collect(upTo: 1 << 20)
            observer.note(description(of: request))
            return Response(
                status: .created, headers: [.setCookie: "session=abc; Path=/", .contentType: "text/plain"],
                body: ResponseBody(byteBuffer: body))
        }
        router.get("/redirect") { request, _ in
            observer.note(description(of: request))
            return Response(status: .found, headers: [.location: "/hello"])
        }
        router.get("/downgrade") { request, _ in
            observer.note(description(of: request))
            return Response(status: .movedPermanently, headers: [.location: "http://127.0.0.1/hello"])
        }
        router.get("/cookies") { _, _ in
            var response = Response(status: .ok)
            for cookie in cookies { response.headers.append(HTTPField(name: .setCookie, value: cookie)) }
            return response
        }
        addTroublesomeRoutes(to: router)
        return router
    }

    /// Bodies of any size, and servers that do not come to an end.
    private static func addTroublesomeRoutes(to router: Router<BasicRequestContext>) {
        router.get("/bytes/{count}") { _, context in
            let count = try context.parameters.require("count", as: Int.self)
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: 65, count: count)))
        }
        router.get("/endless") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    while true { try await writer.write(ByteBuffer(repeating: 65, count: 1_024)) }
                })
        }
        // No test waits for the end of these: the client gives up, and that cancels the handler.
        router.get("/silence") { _, _ in
            try await Task.sleep(for: .seconds(600))
            return "late"
        }
        router.get("/stalled") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "start"))
                    try await Task.sleep(for: .seconds(600))
                    try await writer.finish(nil)
                })
        }
    }

    private static func description(of request: Request) -> String {
        let names = request.headers.map { $0.name.canonicalName }.sorted().joined(separator: ",")
        return "\(request.method) \(request.uri.path) \(names)"
    }
}
