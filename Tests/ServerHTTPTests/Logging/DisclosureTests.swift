import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Octets
import Synchronization
import TestSupport
import Testing

@testable import HTTPEngine
@testable import ServerHTTP

@Suite("SDK-15: a sensitive value does not come into the log, and credentials and keys are not printed")
struct DisclosureTests {
    private static let canary = "canary-7f3a9c51d2"

    @Test("Message, metadata in every form and an error leave the value out of the line")
    func log() {
        struct Failure: Error { let token = Sensitive(DisclosureTests.canary) }
        let lines = Mutex("")
        let logger = Logger(label: "canary") { label in
            JSONLineLogHandler(label: label, level: .trace, timestamp: { "now" }) { line in
                lines.withLock { $0 += String(decoding: line, as: UTF8.self) }
            }
        }
        let value = Sensitive(Self.canary)
        logger.trace(
            "message \(value)",
            metadata: [
                "text": "\(value)", "convertible": .stringConvertible(value), "list": ["\(value)"],
                "inner": ["name": .stringConvertible(value)], "error": "\(Failure())",
            ])
        let written = lines.withLock { $0 }
        #expect(!written.contains(Self.canary))
        #expect(written.components(separatedBy: "<redacted>").count == 7, "\(written)")
    }

    @Test("Bearer token and session cookie of a request, and the private keys of the server, show nothing")
    func credentials() throws {
        var head = HTTPRequest(method: .get, scheme: "https", authority: "server.example", path: "/")
        head.headerFields[.authorization] = "Bearer \(Self.canary)"
        head.headerFields[.cookie] = "session=\(Self.canary)"
        let credentials = PresentedCredentials(
            of: Request(head: head, body: RequestBody(buffer: ByteBuffer())), cookieName: "session")
        #expect(credentials.bearerToken?.reveal() == Self.canary && credentials.sessionCookie?.reveal() == Self.canary)
        let values: [Any] = [
            credentials, LoopbackAuthority(certificatePEM: "certificate", privateKeyPEM: Self.canary),
            ServerIdentity(chainPEM: "chain", privateKeyPEM: Self.canary),
        ]
        for value in values { #expect(!Disclosure.shows(Self.canary, in: value), "\(type(of: value))") }
    }
}
