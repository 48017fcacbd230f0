import ArgumentParser
import CommandSupport
import MobileAuthentication
import StrictJSON

struct DeviceCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Compare what this phone and its servers know of each other; change nothing.",
        discussion: "Use signet device sync to repair what is found.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var network: NetworkOptions

    func run() async throws {
        try await phone.report {
            try await Phone.use(phone.folder, network) { phone in
                let list = MismatchList(try await phone.mismatches())
                let unanswered = phone.device.unansweredRegistrations
                return CommandReport.Outcome(
                    text: TerminalText([list.text] + unanswered.map(\.unansweredLine)),
                    result: [
                        "mismatches": .array(list.json),
                        "unanswered": .array(unanswered.map { .object($0.unansweredJSON) }),
                    ])
            }
        }
    }
}

struct DeviceSync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Repair what signet device check has found.",
        discussion: """
            Before it removes anything, on either side, it asks at the terminal; without a terminal it removes only with \
            --remove. It repairs the rest without a question. A server that has another name for this phone gets the phone's; to \
            take the server's, use signet device info change --name.
            """)

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var network: NetworkOptions

    @Flag(help: "Show what would be done, and change nothing.")
    var dryRun = false

    @Flag(help: "Remove without asking.")
    var remove = false

    func validate() throws {
        guard !dryRun || !remove else { throw ValidationError("Give --dry-run or --remove, not both.") }
    }

    func run() async throws {
        try await phone.report { try await Phone.use(phone.folder, network, nil, perform) }
    }

    private func perform(on phone: Phone) async throws -> CommandReport.Outcome {
        let found = try await phone.mismatches()
        let (mended, left) = dryRun ? ([], found) : await divided(found)
        if !mended.isEmpty { try await phone.mend(mended) }
        let (done, open) = (MismatchList(mended), MismatchList(left))
        var texts: [TerminalText] = found.isEmpty ? [open.text] : []
        if !mended.isEmpty { texts.append("Mended:\n\(done.text)") }
        if !left.isEmpty { texts.append((dryRun ? "To be mended:\n" : "Left as it is:\n") + open.text) }
        return CommandReport.Outcome(
            text: TerminalText(texts), result: JSONObject(["mended": .array(done.json), "left": .array(open.json)]))
    }

    /// Divides the mismatches into those to be repaired and the others.
    private func divided(
        _ found: [DeviceInformationMismatch]
    ) async -> ([DeviceInformationMismatch], [DeviceInformationMismatch]) {
        let terminal = Terminal()
        var (mended, left): ([DeviceInformationMismatch], [DeviceInformationMismatch]) = ([], [])
        for mismatch in found {
            if await isAllowed(mismatch, by: terminal) { mended.append(mismatch) } else { left.append(mismatch) }
        }
        return (mended, left)
    }

    private func isAllowed(_ mismatch: DeviceInformationMismatch, by terminal: Terminal?) async -> Bool {
        guard !remove, mismatch.isRemoval else { return true }
        guard let terminal else { return false }
        terminal.say(MismatchList([mismatch]).text + "\n")
        guard case .line(let answer) = await terminal.ask("Do that? [y/N] ") else { return false }
        return ["y", "yes"].contains(answer.line.lowercased())
    }
}
