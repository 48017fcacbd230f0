import ArgumentParser
import Testing

@testable import CommandSupport

@Suite("A program explains the errors of its own parts")
struct CommandReportTests {
    private struct Fault: Error {}

    private let program = Program(name: "sample") { error in
        error is Fault ? .refused("fault", "it was refused") : .local("unknown", "it is unknown")
    }

    @Test("An error is explained by the program in whose name a command reports, not by the report")
    func explanation() {
        #expect(program.failure(Fault()).code == "fault")
        #expect(program.failure(CancellationError()).code == "unknown")
        #expect(Program(name: "other") { _ in .local("other", "other") }.failure(Fault()).code == "other")
    }

    @Test("A failure explains itself and is not explained again")
    func failure() {
        var failure = CommandFailure.refused("own", "its own words")
        failure.uafStatus = 1498
        #expect(program.failure(failure).code == "own" && program.failure(failure).uafStatus == 1498)
    }

    @Test(
        "A command ends with the exit code of its failure, and with none when it succeeds",
        arguments: OutputFormat.allCases)
    func exitCode(format: OutputFormat) async throws {
        let report = CommandReport(program: program, format: format)
        await #expect(throws: ExitCode(1)) { try await report.runSilently { throw Fault() } }
        await #expect(throws: ExitCode(2)) { try await report.runSilently { throw CancellationError() } }
        try await report.runSilently {}
    }

    @Test("Advice speaks of shell commands, and of what is typed in the interactive phone when it is read there")
    func advice() {
        for advice in [RecoveryAdvice.registerAgain, .addToRegisteredUser, .registerHere] {
            let failure = CommandFailure(
                kind: .refused, code: "locked", message: "It is locked. " + advice.commandText, advice: advice)
            #expect(failure.consoleMessage == "It is locked. " + advice.consoleText)
            #expect(!advice.consoleText.contains("signet "))
        }
        #expect(CommandFailure.local("plain", "as it is").consoleMessage == "as it is")
    }
}
