import ArgumentParser
import Testing

@testable import DeviceCommands

@Suite("O-M10: the time that a phone gives its server")
struct NetworkTimeoutTests {
    @Test("O-M10: it is 30 seconds unless said otherwise, and 1 to 600")
    func bounds() throws {
        #expect(try NetworkOptions.parse([]).networkTimeout == 30)
        #expect(try NetworkOptions.parse(["--network-timeout", "600"]).networkTimeout == 600)
        for seconds in ["0", "-1", "601", "soon"] {
            #expect(throws: (any Error).self) { try NetworkOptions.parse(["--network-timeout", seconds]) }
        }
    }
}
