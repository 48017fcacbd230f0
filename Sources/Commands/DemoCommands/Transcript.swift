import Foundation

/// Terminal output of a demonstration: a line for every step as it ends.
struct Transcript {
    /// Whether nothing is written, for callers that read only the JSON result.
    var isSilent: Bool

    private static let green = "\u{1B}[32m"
    private static let red = "\u{1B}[31m"
    private static let dim = "\u{1B}[2m"
    private static let bold = "\u{1B}[1m"
    private static let plain = "\u{1B}[0m"

    private let isColoured = isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil

    private let write: @Sendable (String) -> Void

    init(
        isSilent: Bool,
        write: @escaping @Sendable (String) -> Void = { FileHandle.standardOutput.write(Data($0.utf8)) }
    ) {
        self.isSilent = isSilent
        self.write = write
    }

    func title(_ text: String) {
        say("\n" + coloured(text, Self.bold) + "\n")
    }

    func scene(_ text: String) {
        say(coloured("  " + text, Self.dim))
    }

    /// Reports the duration of the running step every second, until the task is cancelled.
    func progress() -> Task<Void, Never> {
        Task {
            var seconds = 0
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                seconds += 1
                say(coloured("    still running, \(seconds) s …", Self.dim))
            }
        }
    }

    func picture(_ text: String) {
        say(text)
    }

    func step(_ step: DemoStep) {
        let mark = step.isAsTold ? coloured("✔", Self.green) : coloured("✘", Self.red)
        let time = coloured(" \(step.milliseconds) ms", Self.dim)
        say("\(mark) \(step.sentence)\(time)\n")
    }

    /// Writes the summary: the results, a comparison with passkeys, and the commands to try next.
    func end(_ steps: [DemoStep], of story: DemoStory) {
        let failed = steps.filter { !$0.isAsTold }
        let stories = story.others.map { "  signet demo \($0.rawValue)   (\($0.summary))" }.joined(separator: "\n")
        say(
            failed.isEmpty
                ? coloured("All \(steps.count) steps went as planned.", Self.green)
                : coloured("\(failed.count) of \(steps.count) steps did not go as planned.", Self.red))
        say(
            """

            Passkeys sign people in to web sites, with keys that platforms may copy between the devices of a person. \
            Signet begins where a key has to stay on one phone under a policy of the server, where a payment is \
            shown and signed word for word, and where a push message asks the phone.

            What to try next:
            \(stories)
              signet try   (a shop and a phone in your browser: sign in, pay, play the attacks)
              signet phone --help   (a phone in your browser, for a server of your own)
            """)
    }

    private func coloured(_ text: String, _ colour: String) -> String {
        isColoured ? colour + text + Self.plain : text
    }

    private func say(_ text: String) {
        guard !isSilent else { return }
        write(text + "\n")
    }
}
