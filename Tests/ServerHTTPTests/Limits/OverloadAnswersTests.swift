import BackendAPI
import HTTPTypes
import NIOCore
import NIOHTTP1
import Synchronization
import Testing

@testable import HTTPEngine
@testable import ServerHTTP

@Suite("Overload: the answer to a refused arrival")
struct OverloadAnswersTests {
    /// 2026-01-31T12:00:00.000Z.
    private static let start: Int64 = 1_769_860_800_000
    private static let path = "/nevisfido/uaf/1.1/request/authentication"

    private let time = Time()
    private let answers: OverloadAnswers
    private let errors: ErrorResponse

    init() {
        errors = ErrorResponse { [time] in time.now }
        answers = OverloadAnswers(errors: errors)
    }

    private final class Time: Sendable {
        private let value = Mutex(start)
        var now: Int64 {
            get { value.withLock { $0 } }
            set { value.withLock { $0 = newValue } }
        }
    }

    private func trace(_ digit: Character) throws -> TraceContext {
        let text = String(repeating: digit, count: 32)
        return try #require(TraceContext(traceparent: "00-\(text)-00f067aa0ba902b7-01"))
    }

    private func answer(
        after seconds: Int = 2, path: String = path, _ digit: Character = "a", date: String = "now"
    ) throws -> WholeAnswer {
        answers.answer(retryAfterSeconds: seconds, path: path, try trace(digit), date: date).answer
    }

    /// The answer that is written as a whole, as that to any other refused request.
    private func wholly(
        after seconds: Int = 2, path: String = path, _ digit: Character = "a"
    ) throws -> (fields: [String: String], body: ByteBuffer) {
        var (fields, body) = errors.parts(
            for: .overloaded(retryAfterSeconds: seconds), path: path, traceID: try trace(digit).traceID, at: time.now)
        SecurityHeaders.apply(to: &fields)
        fields[.contentLength] = String(body.readableBytes)
        fields[.date] = "now"
        return (Dictionary(uniqueKeysWithValues: fields.map { ($0.name.canonicalName, $0.value) }), body)
    }

    @Test(
        "Each answer is what it would be if it were written as a whole: time, trace, path, fields and length are its own"
    )
    func equal() throws {
        let paths = [
            Self.path, Self.path + "/", "/a\"}\"Z\u{2028}<é>Z", "/", "/sign-in/" + String(repeating: "0", count: 40),
            "",
        ]
        for step: Int64 in [0, 1, 7, 90, 899, 1, 1, 1, 59_000, 86_400_000] {
            time.now += step
            for path in paths + paths {
                for (seconds, digit) in [(1, "a"), (5, "b"), (1, "c")] as [(Int, Character)] {
                    let answer = try answer(after: seconds, path: path, digit)
                    let expected = try wholly(after: seconds, path: path, digit)
                    #expect(answer.head.status == .serviceUnavailable)
                    #expect(answer.body == expected.body)
                    let fields = answer.head.headers.map { ($0.name.lowercased(), $0.value) }
                    #expect(Dictionary(fields) { $0 + $1 } == expected.fields)
                    let read = try ErrorBody(body: Array(answer.body.readableBytesView))
                    #expect(read.code == .overloaded && read.path == path)
                }
            }
        }
    }

    @Test("Paths that are the same text in other octets have answers of their own")
    func octets() throws {
        for path in ["/caf\u{E9}", "/cafe\u{301}", "/caf\u{E9}"] {
            #expect(try answer(path: path).body == wholly(path: path).body)
        }
    }

    @Test("The date is the answer's, and stands in it once")
    func date() throws {
        for date in ["now", "later"] {
            #expect(try answer(date: date).head.headers["date"] == [date])
        }
    }

    @Test("A clock before 1970, or that runs backwards, traps nothing and makes answers of its own")
    func clock() throws {
        for moment in [-5_000, 0, 1_500, 700, Int64.max / 2] {
            time.now = moment
            let text = try ErrorBody(body: Array(answer().body.readableBytesView)).timestamp
            let expected = ErrorBody(timestamp: moment, status: 503, code: .overloaded).timestamp
            #expect(text == expected)
        }
    }

    @Test("Few answers are kept, for a second, and none of a long path")
    func bound() throws {
        for number in 0..<1_000 { _ = try answer(path: "/sign-in/\(number)") }
        #expect((1...OverloadAnswers.limit.forms).contains(answers.count))
        time.now += 1_000
        _ = try answer()
        #expect(answers.count == 1)
        let long = String(repeating: "/", count: OverloadAnswers.limit.pathByteCount + 1)
        #expect(try answer(path: long).body == wholly(path: long).body)
        #expect(answers.count == 1)
    }
}
