import Testing

@testable import ServerHTTP

@Suite("W3C Trace Context, 3.2: traceparent")
struct TraceContextTests {
    @Test("A version 00 header gives its trace id")
    func accepted() {
        let header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        #expect(TraceContext(traceparent: header)?.traceID == "0af7651916cd43dd8448eb211c80319c")
    }

    @Test(
        "Anything else gives none",
        arguments: [
            "", "00", "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
            "00-0af7651916cd43dd8448eb211c80319\n-b7ad6b7169203331-01",
        ])
    func refused(header: String) {
        #expect(TraceContext(traceparent: header) == nil)
    }

    @Test("A trace of our own has the form of the specification")
    func own() {
        var random = SystemRandomNumberGenerator()
        let id = TraceContext(random: &random).traceID
        #expect(TraceContext(traceparent: "00-\(id)-b7ad6b7169203331-01")?.traceID == id)
    }

    @Test("It has every bit of its random numbers but the last, which is set so that it is never all zero")
    func digits() {
        var numbers = FixedNumbers(values: [0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210])
        #expect(TraceContext(random: &numbers).traceID == "0123456789abcdeffedcba9876543211")
        numbers = FixedNumbers(values: [0, 0])
        #expect(TraceContext(random: &numbers).traceID == String(repeating: "0", count: 31) + "1")
    }

    private struct FixedNumbers: RandomNumberGenerator {
        var values: [UInt64]

        mutating func next() -> UInt64 { values.removeFirst() }
    }
}
