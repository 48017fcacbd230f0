import CommandSupport
import MobileAuthentication
import Octets
import UAFClient
import UnixSignals

/// Interactive phone at the terminal, controlled line by line.
///
/// One operation runs at a time, in a separate task, so that Ctrl-C cancels the operation and not the program.
@MainActor
final class PhoneConsole {
    private static let farewell = "The phone is off.\n"

    let phone: Phone
    let terminal: Terminal
    let pushes: ConsolePushes
    private var running: Task<Void, any Error>?

    init(phone: Phone, terminal: Terminal) {
        self.phone = phone
        self.terminal = terminal
        pushes = ConsolePushes(folder: phone.folder)
    }

    func run() async {
        let watch = Task {
            for await _ in await UnixSignalsSequence(trapping: .sigint) { running?.cancel() }
        }
        let listening = Task { await pushes.listen() }
        defer {
            watch.cancel()
            listening.cancel()
        }
        terminal.say(greeting)
        while true {
            switch await terminal.ask("\n> ", announcing: pushes.notices) {
            case .ended: return terminal.say("\n" + Self.farewell)
            case .interrupted: terminal.say("\nquit leaves; Ctrl-C only cancels an operation.\n")
            case .line(let line):
                guard await obeys(line.line) else { return terminal.say(Self.farewell) }
            }
        }
    }

    private var greeting: String {
        let settings = phone.device.settings
        return """
            \(ForeignText.name(phone.settings.name)), a phone of the family \(settings.family.rawValue), at \
            \(phone.server.absoluteString); its keys are protected by \(phone.client.deviceCapabilities.keyProtection.rawValue).
            help shows what it can do.

            """
    }

    /// Runs the command of a line; false when the user leaves.
    private func obeys(_ line: String) async -> Bool {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard let word = words.first else { return true }
        guard let command = ConsoleCommand(word: word) else {
            terminal.say(ConsoleCommand.refusal(of: word) + "\n")
            return true
        }
        guard command != .quit else { return false }
        let person = PhoneUser(at: terminal)
        let task = Task { try await perform(command, for: words.dropFirst().first, as: person) }
        running = task
        do {
            try await task.value
        } catch {
            terminal.say(CommandFailure(reporting: error).consoleMessage + "\n")
        }
        running = nil
        await person.dismiss()
        return true
    }

    // MARK: - Commands

    private func perform(_ command: ConsoleCommand, for name: String?, as person: PhoneUser) async throws {
        switch command {
        case .answer: return try await answer(as: person)
        case .check: return try await check()
        case .draw: return try await draw(name)
        default: break
        }
        guard command.isAboutUser else { return show(command) }
        guard let user = await user(name) else { return }
        switch command {
        case .register: try await register(user, as: person)
        case .signIn:
            let session = try await person.explaining { try await phone.authenticate(user, as: person) }
            terminal.say("\(ForeignText.name(user)) is signed in (\(try session.keep(in: nil))).\n")
        case .changePin: try await change(.pin, of: user, as: person)
        case .changePassword: try await change(.password, of: user, as: person)
        case .deregister: try await deregister(user, as: person)
        case .delete: try await delete(user)
        case .accounts, .authenticators, .answer, .draw, .check, .help, .quit: show(command)
        }
    }

    private func show(_ command: ConsoleCommand) {
        switch command {
        case .accounts: terminal.say(accounts)
        case .authenticators: terminal.say(AuthenticatorTable(phone.device.authenticators).text + "\n")
        default:
            for command in ConsoleCommand.allCases {
                let usage = command.rawValue + (command.isAboutUser ? " [USER]" : "")
                terminal.say("  " + usage.padded(to: 24) + command.explanation + "\n")
            }
        }
    }

    private var accounts: String {
        let registrations = phone.device.registrations
        guard !registrations.isEmpty else { return "No user is registered on this phone.\n" }
        return registrations.map { registration in
            let kind = AuthenticatorAaid(rawValue: registration.aaid).map { AuthenticatorChoice($0).rawValue }
            let state = registration.isUsable ? "" : "  unusable: deregister, then register again"
            return
                "\(ForeignText.name(registration.username))  \(kind ?? registration.aaid)  \(registration.server)\(state)\n"
        }.joined()
    }

    private func change(_ kind: SecretKind, of user: String, as person: PhoneUser) async throws {
        try await person.explaining { try await phone.change(kind, of: user, as: person) }
        terminal.say("\(ForeignText.name(user)) has a new \(kind.noun) on this phone.\n")
    }

    private func delete(_ user: String) async throws {
        let question =
            "The server keeps its records until it is told. Delete all keys of \(ForeignText.name(user)) here? [y/N] "
        guard case .line(let answer) = await terminal.ask(question), answer.line.lowercased() == "y" else { return }
        try await phone.device.deleteLocally(user)
        terminal.say("This phone has no keys of \(ForeignText.name(user)) any more.\n")
    }

    /// Deregisters with the device key as authorization, so that a locked PIN or a lost key is no obstacle; a server
    /// without a dispatch target of the phone requires an authentication.
    private func deregister(_ user: String, as person: PhoneUser) async throws {
        let question = "Take all keys of \(ForeignText.name(user)) off this phone and the server? [y/N] "
        guard case .line(let answer) = await terminal.ask(question), answer.line.lowercased() == "y" else { return }
        do {
            try await phone.deregister(user, nil, .device, as: person)
        } catch OperationError.UserNotRegisteredInServer {
            try await person.explaining { try await phone.deregister(user, nil, nil, as: person) }
        }
        terminal.say("\(ForeignText.name(user)) is no longer registered on this phone.\n")
    }

    /// Registers a key: a further one is authorized by an authentication, the first one by the password at the server.
    private func register(_ user: String, as person: PhoneUser) async throws {
        let question = "Password of \(ForeignText.name(user)) at the server (empty for none): "
        guard case .line(let password) = await terminal.ask(question, isHidden: true) else { return }
        let parameters = RegistrationParameters(authorization: try await authorization(of: user, password))
        try await person.explaining { try await phone.register(user, parameters, as: person) }
        terminal.say("\(ForeignText.name(user)) is registered on this phone.\n")
    }

    private func authorization(
        of user: String, _ password: SecretBytes
    ) async throws -> (any AuthorizationProvider)? {
        guard password.count == 0 else {
            return try await AuthorizationRight(.password(password), user: user, on: phone).provider
        }
        let isRegistered = phone.client.localData.accounts.contains { $0.username.hasSameOctets(as: user) }
        guard isRegistered else { return nil }
        terminal.say("Sign in first, then register another key.\n")
        let person = PhoneUser(at: terminal)
        return try await person.explaining { try await phone.authenticate(user, as: person).provider }
    }

    // MARK: - Questions

    /// The user named in the command, the only one registered on the phone, or the one that is chosen at the prompt.
    private func user(_ name: String?) async -> String? {
        if let name { return name }
        let accounts = phone.client.localData.accounts.map(\.username)
        if let only = accounts.first, accounts.count == 1 { return only }
        guard case .line(let answer) = await terminal.ask("User: ") else { return nil }
        return answer.line.isEmpty ? nil : answer.line
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
