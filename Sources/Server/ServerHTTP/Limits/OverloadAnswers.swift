import HTTPEngine
import HTTPTypes
import NIOCore
import Octets
import Synchronization

/// Answers to requests that are refused for overload when they arrive.
///
/// A server that refuses thousands a second says the same again and again: two answers for the same path in the same second
/// differ in the milliseconds of the time and in the trace alone. So each is written once a second, and copied with those
/// two in their places.
final class OverloadAnswers: Sendable {
    /// Forms that are kept at most, and the octets of their paths: some paths end with what the client chose.
    static let limit = (forms: 64, pathByteCount: 200)

    private struct Key: Hashable {
        let path: String
        let seconds: Int
    }

    private struct Forms {
        var second: Int64 = -1
        var known: [Key: OverloadForm] = [:]
    }

    private let errors: ErrorResponse
    private let forms = Mutex(Forms())

    init(errors: ErrorResponse) {
        self.errors = errors
    }

    var count: Int { forms.withLock { $0.known.count } }

    /// The refusal of a request that may come again after so many seconds, and the answer to it.
    ///
    /// `trace` is the trace of the request, and `date` the value of the field `Date`.
    func answer(
        retryAfterSeconds seconds: Int, path: String, _ trace: TraceContext, date: String
    ) -> (refusal: RequestRefusal, answer: WholeAnswer) {
        let now = max(errors.now(), 0)
        let form = form(Key(path: path, seconds: seconds), at: now)
        return (form.refusal, form.answer(millisecond: Int(now % 1_000), trace, date: date))
    }

    private func form(_ key: Key, at now: Int64) -> OverloadForm {
        let second = now / 1_000
        let known = forms.withLock { forms in
            if forms.second != second { forms = Forms(second: second) }
            return forms.known[key]
        }
        // Keys are equal where texts are, and one text can have several octets.
        if let known, known.path.hasSameOctets(as: key.path) { return known }
        let made = OverloadForm(.overloaded(retryAfterSeconds: key.seconds), path: key.path, by: errors, at: now)
        guard key.path.utf8.count <= Self.limit.pathByteCount else { return made }
        forms.withLock { forms in
            if forms.known.count >= Self.limit.forms { forms.known.removeAll(keepingCapacity: true) }
            if forms.second == second { forms.known[key] = made }
        }
        return made
    }
}

/// Answer to a refused request without what is its own, and the places for that.
private struct OverloadForm: Sendable {
    /// As many digits as a trace has.
    private static let noTrace = String(repeating: "0", count: 32)

    let refusal: RequestRefusal
    let path: String
    private let answer: WholeAnswer
    /// Places in the body: of the three digits of the milliseconds, and of the trace.
    private let millisecondPlace: Int
    private let tracePlace: Int

    /// Writes the answer; the time is the first member of its body, and the trace the last.
    init(_ refusal: RequestRefusal, path: String, by errors: ErrorResponse, at now: Int64) {
        self.refusal = refusal
        self.path = path
        var (fields, body) = errors.parts(for: refusal, path: path, traceID: Self.noTrace, at: now)
        SecurityHeaders.apply(to: &fields)
        answer = WholeAnswer(status: refusal.status, fields: fields, body: body)
        let digits = (body.readableBytesView.firstIndex(of: UInt8(ascii: "Z")) ?? body.readerIndex) - 3
        millisecondPlace = max(body.readerIndex, digits)
        tracePlace = body.writerIndex - Self.noTrace.utf8.count - #""}"#.utf8.count
    }

    func answer(millisecond: Int, _ trace: TraceContext, date: String) -> WholeAnswer {
        var answer = answer
        answer.add(date, as: "Date")
        for (offset, scale) in [100, 10, 1].enumerated() {
            let digit = UInt8(ascii: "0") + UInt8(millisecond / scale % 10)
            answer.body.setInteger(digit, at: millisecondPlace + offset)
        }
        answer.body.setString(trace.traceID, at: tracePlace)
        return answer
    }
}
