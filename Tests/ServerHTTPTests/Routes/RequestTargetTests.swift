import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServerCore
import TestSupport
import Testing

@testable import ServerHTTP

@Suite("Request targets (RFC 9112, 3.2)")
struct RequestTargetTests {
    private static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]

    @Test(
        "O-C1: a target without a path, or with any other one, is answered",
        arguments: [
            "/", "", "/?a", "?", "?a=b", "//", "///", "*", "/*", "{}", "/{}", "/{id}", "a", "a/", "a/b", "/nevisfido",
            "/nevisfido/", "/%", "/%2", "/%00", "/%2F", "%2F", "/..", "/../..", "https://server.example",
            "https://server.example/", "server.example:443", "/\u{e9}", "/#", "#", "/nevisfido/token/dispatch/targets/",
        ])
    func strange(target: String) async throws {
        let service = try await ServerFixture.open()
        try await service.test { client in
            for method in Self.methods {
                let answer = try await client.client.execute(uri: target, method: method)
                #expect((400..<500).contains(answer.status.code), "\(method) \(target)")
            }
        }
        try await Self.management.test(.router) { client in
            for method in Self.methods {
                let answer = try await client.execute(uri: target, method: method)
                #expect((400..<500).contains(answer.status.code), "\(method) \(target)")
            }
        }
    }

    @Test("O-C1: targets made of random pieces of paths are answered, none with a 500")
    func random() async throws {
        let pieces = [
            "/", "//", "?", "%", "%2F", "%00", ".", "..", "{", "}", "{}", "{id}", "*", "**", "#", "&", "=", ":", "\\",
            "\u{e9}", "\u{1F511}", "nevisfido", "_app", "uaf", "1.1", "request", "token", "dispatch", "targets", "auth",
            "pwd", "fidouaf", "devices", "status", "", " ",
        ]
        var random = SeededGenerator(seed: 1)
        let service = try await ServerFixture.open()
        let targets = (0..<5_000).map { _ in
            (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }
        try await service.test { client in
            for (number, target) in targets.enumerated() {
                let method = Self.methods[number % Self.methods.count]
                let answer = try await client.client.execute(uri: target, method: method)
                #expect(answer.status.code < 500, "\(method) \(target)")
            }
        }
    }

    @Test("A table of routes knows the methods of exact paths and of those with a parameter, and nothing else")
    func table() throws {
        var table = RouteTable()
        for (method, path) in [(HTTPRequest.Method.get, "/a/b"), (.delete, "/a/{id}"), (.patch, "{id}")] {
            table.insert(method, path, name: path) { _, _ in Response(status: .ok) }
        }
        #expect(try table.route(.get, at: "/a/b/").component == nil)
        #expect(try table.route(.delete, at: "/a/c").component == "c")
        #expect(try table.route(.patch, at: "x").component == "x")
        for path in ["", "/", "/a", "/a/", "/a//", "/a/c/d", "//a/b", "/A/b"] {
            #expect(throws: RequestRefusal.notFound, "\(path)") { try table.route(.get, at: path) }
        }
        #expect(try table.route(.head, at: "/a/b").component == nil)
        #expect(throws: RequestRefusal.methodNotAllowed(allow: [.get, .head])) { try table.route(.delete, at: "/a/b") }
        #expect(throws: RequestRefusal.methodNotAllowed(allow: [.delete])) { try table.route(.head, at: "/a/c") }
    }

    private static var management: some ApplicationProtocol {
        let routing = HTTPRouting(limits: RequestLimits(), metrics: MetricsRegistry(), now: { 0 })
        return Application(responder: routing.managementResponder(health: ServerHealth()))
    }
}
