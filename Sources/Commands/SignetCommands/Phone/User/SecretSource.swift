import MobileAuthentication

/// Where the secrets of a person come from: a file, which gives the same one each time, or the terminal, which can be asked
/// until one is right.
enum SecretSource: Sendable {
    case file(SecretFile)
    case terminal(Terminal)
    /// Neither; the option names what would help.
    case nowhere(option: String)

    /// The file if there is one, else the terminal if there is one.
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

    /// The terminal, where a person can be told something and asked again.
    var terminal: Terminal? {
        if case .terminal(let terminal) = self { terminal } else { nil }
    }

    /// Gets a secret; nil when the person does not want to.
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

    /// Gets a secret that shall be used from now on; on the terminal it is typed twice.
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
    /// Whether a person typed the same twice.
    fileprivate func isSame(as other: SecretBytes) -> Bool {
        withUnsafeBytes { one in other.withUnsafeBytes { two in one.elementsEqual(two) } }
    }
}
