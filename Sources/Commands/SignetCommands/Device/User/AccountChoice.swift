import MobileAuthentication

/// The accounts that a person can answer as.
struct AccountChoice {
    private let names: [String]

    /// Takes the accounts that the server accepts.
    init(_ context: any AccountSelectionContext) {
        var names: [String] = []
        for authenticator in context.authenticators {
            for account in authenticator.registration.registeredAccounts
            where context.isPolicyCompliant(username: account.username, aaid: authenticator.aaid)
                && !names.contains(account.username)
            {
                names.append(account.username)
            }
        }
        self.names = names
    }

    /// The only account, fit for a sentence; nil where there are several.
    var onlyName: String? { names.count == 1 ? names.first.map(ForeignText.name) : nil }

    /// The account that was wanted, or the only one, or the one that the person chooses; nil when he does not want to.
    func name(_ wanted: String?, orAskedAt terminal: Terminal?) async throws(CommandFailure) -> String? {
        if let wanted {
            guard names.contains(wanted) else {
                throw .refused("NoAccount", "\(ForeignText.name(wanted)) cannot answer this on this phone")
            }
            return wanted
        }
        guard names.count != 1, let terminal else {
            guard let first = names.first else { throw .refused("NoAccount", "nobody on this phone can answer this") }
            guard names.count == 1 else {
                throw .local("SeveralAccounts", "several users of this phone could answer: name one with --user")
            }
            return first
        }
        return await chosen(at: terminal)
    }

    private func chosen(at terminal: Terminal) async -> String? {
        terminal.say("As whom?\n")
        for (index, name) in names.enumerated() { terminal.say("  \(index + 1)  \(ForeignText.name(name))\n") }
        while case .line(let bytes) = await terminal.ask("Number [1]: ") {
            let line = bytes.line
            guard let number = line.isEmpty ? 1 : Int(line), names.indices.contains(number - 1) else { continue }
            return names[number - 1]
        }
        return nil
    }
}
