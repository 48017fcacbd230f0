import Logging
import StrictJSON
import Synchronization
import Testing

@testable import ServerHTTP

@Suite("Logs: JSON lines")
struct JSONLineLogHandlerTests {
    @Test("An event is one line of JSON with its metadata")
    func line() throws {
        let (logger, lines) = makeLogger()
        logger.info("started", metadata: ["port": .stringConvertible(8443), "hosts": ["a", "b"]])
        let object = try #require(try lines.objects().first)
        #expect(object["ts"] == .string("T"))
        #expect(object["level"] == .string("info"))
        #expect(object["message"] == .string("started"))
        #expect(object["port"] == .integer(8443))
        #expect(object["hosts"] == .array([.string("a"), .string("b")]))
    }

    @Test("Text from outside cannot begin a line of its own or replace a member of the event")
    func injection() throws {
        let (logger, lines) = makeLogger()
        logger.info("x\n{\"level\":\"error\"}", metadata: ["level": "fake", "user": "a\r\n\u{2028}b\u{0}"])
        let objects = try lines.objects()
        #expect(objects.count == 1)
        #expect(objects.first?["level"] == .string("info"))
        #expect(objects.first?["user"] == .string("a\r\n\u{2028}b\u{0}"))
    }

    @Test("Events below the level are not written")
    func level() throws {
        let (logger, lines) = makeLogger()
        logger.debug("quiet")
        #expect(try lines.objects().isEmpty)
    }

    private func makeLogger() -> (Logger, Lines) {
        let lines = Lines()
        let logger = Logger(label: "test") { label in
            JSONLineLogHandler(label: label, level: .info, timestamp: { "T" }, write: lines.append)
        }
        return (logger, lines)
    }
}

/// Keeps what a log handler wrote.
final class Lines: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    @Sendable func append(_ line: [UInt8]) {
        bytes.withLock { $0 += line }
    }

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    func objects() throws -> [JSONObject] {
        try bytes.withLock { $0 }.split(separator: UInt8(ascii: "\n")).map { line in
            try JSONParser.parse(Array(line)).asObject()
        }
    }
}
