import CommandSupport
import Foundation
import Logging
import ServerConfiguration
import StrictJSON
import Synchronization
import Testing

@testable import ServerCommandSupport

@Suite("signet-server: the form of its log")
struct ServerLogTests {
    /// What loggers have written.
    private final class Sink: Sendable {
        private let written = Mutex<[UInt8]>([])

        var write: @Sendable ([UInt8]) -> Void { { bytes in self.written.withLock { $0 += bytes } } }
        var lines: [String] {
            written.withLock { String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init) }
        }
    }

    @Test("O-M9: log lines are for people in a terminal and JSON elsewhere, unless log.format or --format says")
    func form() {
        #expect(ServerLog.isForPeople(.automatic, .text, inTerminal: true))
        #expect(!ServerLog.isForPeople(.automatic, .text, inTerminal: false))
        for inTerminal in [true, false] {
            #expect(ServerLog.isForPeople(.text, .text, inTerminal: inTerminal))
            #expect(!ServerLog.isForPeople(.json, .text, inTerminal: inTerminal))
            for setting in Deployment.LogFormat.allCases {
                #expect(!ServerLog.isForPeople(setting, .json, inTerminal: inTerminal))
            }
        }
    }

    @Test("O-M9: a line for a person is no JSON, one for a program is, and both say what happened")
    func lines() throws {
        for isForPeople in [true, false] {
            let sink = Sink()
            ServerLog.logger(level: .info, isForPeople: isForPeople, write: sink.write)
                .warning("something", metadata: ["user": "anna"])
            let line = try #require(sink.lines.first)
            #expect(line.contains("something") && line.contains("anna"))
            #expect(((try? JSONParser.parse(line).asObject()) == nil) == isForPeople, "\(line)")
        }
    }

    @Test("O-M4: an ordinary stop is no error in the log; any other end, and our own words for it, are")
    func cancellation() {
        let sink = Sink()
        let logger = ServerLog.logger(level: .info, write: sink.write)
        logger.error("stopped", error: CancellationError())
        logger.error("Waiting on child channel: \(CancellationError())", source: "HummingbirdCore")
        #expect(sink.lines.isEmpty)
        logger.error("Waiting on child channel: \(CancellationError())", source: "AnotherModule")
        logger.error("the ready file: \(CancellationError())", source: "HummingbirdCore")
        logger.error("Waiting on child channel: no more descriptors", source: "HummingbirdCore")
        #expect(sink.lines.count == 3)
    }
}
