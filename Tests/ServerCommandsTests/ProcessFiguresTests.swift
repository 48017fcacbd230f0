import Testing

@testable import ServerCommands

@Suite("Figures of the process")
struct ProcessFiguresTests {
    private static let rest =
        "S 1 42 42 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 9 0 12000 999999 2048 18446744073709551615"

    private func read(_ stat: String, system: String = "cpu 1 2\nbtime 1700000000\n") -> ProcessFigures? {
        ProcessFigures(stat: stat, systemStat: system, ticksPerSecond: 100, pageByteCount: 4_096)
    }

    @Test("They are read behind the name of the program, whatever that is", arguments: ["signet", "a) S 7 (b", "x y"])
    func fields(name: String) throws {
        let figures = try #require(read("42 (\(name)) \(Self.rest)\n"))
        #expect(figures.processorSeconds == 3)
        #expect(figures.startSeconds == 1_700_000_120)
        #expect(figures.residentByteCount == 2_048 * 4_096)
    }

    @Test(
        "Other texts are none",
        arguments: ["", "42 (signet", "42 (signet) S 1 2", "42 (s) \(rest.replacing("250", with: "x"))"])
    func others(text: String) {
        #expect(read(text) == nil)
        #expect(read("42 (signet) \(Self.rest)", system: "cpu 1\n") == nil)
    }

    @Test("This process has some")
    func own() throws {
        let figures = try #require(ProcessFigures.current)
        #expect(figures.residentByteCount > 0 && figures.startSeconds > 1_600_000_000)
    }
}
