import CommandSupport
import MobileAuthentication
import UAFClient

/// Source of the user's secrets: a file, which gives the same one each time, or the terminal, which can be asked until
/// one is right.
enum SecretSource: Sendable {
    case file(SecretFile)
    case terminal(Terminal)
    /// Neither file nor terminal; `option` is the option that would provide one.
    case nowhere(option: String)

    init(file path: String?, orElse terminal: Terminal?, option: String) {
        self =
            if let path {
                .file(SecretFile(path: path))
            } else if let terminal {
                .terminal(terminal)
            } else {
                .nowhere(option: option)
            }
    }

    /// The terminal, where the user can be notified and asked again; nil for other sources.
    var terminal: Terminal? {
        if case .terminal(let terminal) = self { terminal } else { nil }
    }

    /// Reads a secret; nil when the user cancels.
    func secret(_ question: String) async throws(CommandFailure) -> SecretBytes? {
        switch self {
        case .file(let file): return SecretBytes(copying: try file.octets())
        case .nowhere(let option):
            throw .local("NoTerminal", "there is no terminal to ask for a secret: use \(option)")
        case .terminal(let terminal):
            guard case .line(let secret) = await terminal.ask(question, isHidden: true) else { return nil }
            return secret
        }
    }

    /// Reads a new secret; at the terminal it has to be entered twice.
    func newSecret(_ kind: SecretKind) async throws(CommandFailure) -> SecretBytes? {
        while true {
            guard let secret = try await secret("New \(kind.noun): ") else { return nil }
            guard let terminal else { return secret }
            guard let again = try await self.secret("The same again: ") else { return nil }
            if secret.isSame(as: again) { return secret }
            terminal.say("The two differ.\n")
        }
    }
}

extension SecretBytes {
    fileprivate func isSame(as other: SecretBytes) -> Bool {
        withUnsafeBytes { one in other.withUnsafeBytes { two in one.elementsEqual(two) } }
    }
}
