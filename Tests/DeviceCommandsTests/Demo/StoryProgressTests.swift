import Testing

@testable import DemoCommands

@Suite("A story that is told in the terminal")
struct StoryProgressTests {
    @Test("O-M3: a step that takes long says that it goes on, and then how it ended", .timeLimit(.minutes(10)))
    func progress() async throws {
        let (lines, said) = AsyncStream.makeStream(of: String.self)
        var teller = StoryTeller(transcript: Transcript(isSilent: false) { said.yield($0) })
        // The step ends only when its spectator has been told twice that it goes on.
        await teller.play("slow", "Something slow.") {
            var count = 0
            for await line in lines where line.contains("still running") {
                count += 1
                guard count < 2 else { break }
            }
            return .good("It is done.")
        }
        #expect(teller.steps.map(\.isAsTold) == [true])
        #expect(teller.steps[0].milliseconds >= 2_000)
    }

    @Test("O-M3: a program that asked for JSON is told nothing in between", .timeLimit(.minutes(10)))
    func silence() async throws {
        let (lines, said) = AsyncStream.makeStream(of: String.self)
        var teller = StoryTeller(transcript: Transcript(isSilent: true) { said.yield($0) })
        await teller.play("quick", "Something quick.") { .good("It is done.", showing: "a picture") }
        said.finish()
        #expect(await lines.reduce(into: []) { $0.append($1) }.isEmpty)
    }
}
