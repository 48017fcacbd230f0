import CommandSupport
import MobileAuthentication

extension PhoneConsole {
    /// Answers the operation of a QR code or link, of a received push message, or one that is pending at the servers.
    func answer(as person: PhoneUser) async throws {
        let message = pushes.oldest
        let other = message == nil ? "what waits at the servers" : "the push message"
        let question = "Picture, text or link of a code (empty: \(other)): "
        guard case .line(let bytes) = await terminal.ask(question) else { return }
        let source = bytes.line
        if source.isEmpty, let message {
            // The message counts as taken whatever the outcome; an unanswered operation stays pending at the servers.
            try pushes.take(message)
            let payload = try PayloadSource.text(message.payload).payload(of: phone.client)
            return terminal.say(try await phone.answer(payload, as: person).outcome.text + "\n")
        }
        let payload =
            source.isEmpty ? try await waiting() : try PayloadSource(source).payload(of: phone.client)
        guard let payload else { return }
        terminal.say(try await phone.answer(payload, as: person).outcome.text + "\n")
    }

    /// Draws a QR code that another phone can scan from this screen.
    func draw(_ source: String?) async throws {
        var source = source ?? ""
        if source.isEmpty {
            let question = "Link, text, or picture of a code: "
            guard case .line(let bytes) = await terminal.ask(question) else { return }
            source = bytes.line
        }
        guard !source.isEmpty else { return }
        terminal.say(ShownCode(text: try PayloadSource(source).text()).drawing + "\n")
    }

    /// Lists the mismatches between phone and servers, and repairs those that the user chooses.
    func check() async throws {
        let found = try await phone.mismatches()
        guard !found.isEmpty else { return terminal.say(MismatchList(found).text + "\n") }
        var mended: [DeviceInformationMismatch] = []
        for mismatch in found {
            terminal.say(MismatchList([mismatch]).text + "\n")
            guard case .line(let answer) = await terminal.ask("Do that? [y/N] ") else { return }
            if ["y", "yes"].contains(answer.line.lowercased()) { mended.append(mismatch) }
        }
        guard !mended.isEmpty else { return }
        try await phone.mend(mended)
        terminal.say("Mended.\n")
    }

    /// The pending operation; of several the one that the user chooses, nil when they choose none.
    private func waiting() async throws -> OutOfBandPayload? {
        let waiting = try await phone.pendingOperations()
        guard waiting.count > 1 else { return try await phone.pendingOperation(number: nil).payload }
        terminal.say(PendingList(waiting).text + "\n")
        while case .line(let bytes) = await terminal.ask("Number [1]: ") {
            let line = bytes.line
            guard let number = line.isEmpty ? 1 : Int(line), waiting.indices.contains(number - 1) else { continue }
            return waiting[number - 1].payload
        }
        return nil
    }
}
