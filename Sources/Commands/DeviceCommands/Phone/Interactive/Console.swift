import CommandSupport
import Foundation

/// Commands of the interactive phone.
enum ConsoleCommand: String, CaseIterable {
    case accounts
    case authenticators
    case register
    case signIn = "sign-in"
    case answer
    case draw
    case check
    case changePin = "change-pin"
    case changePassword = "change-password"
    case deregister
    case delete
    case help
    case quit

    var explanation: String {
        switch self {
        case .accounts: "who is registered here"
        case .authenticators: "show how the phone can verify you"
        case .register: "make a key for a user and register it"
        case .signIn: "signs a user in"
        case .answer: "answer a QR code, a link, or an operation that waits at a server"
        case .draw: "draw a link, a text or the code of a picture as a QR code, for another phone"
        case .check: "compare phone and servers, and repair differences"
        case .changePin: "replace the PIN of a user"
        case .changePassword: "replace the password of a user's authenticator"
        case .deregister: "remove a user's keys here and at the server, also locked ones"
        case .delete: "remove a user's keys here; the server is told later"
        case .help: "show this list"
        case .quit: "switches the phone off"
        }
    }

    /// Whether the command takes a user name.
    var isAboutUser: Bool {
        switch self {
        case .accounts, .authenticators, .answer, .draw, .check, .help, .quit: false
        default: true
        }
    }

    /// The command with this name, or the only one whose name begins with `word`.
    init?(word: String) {
        let matches = Self.matches(of: word)
        guard let command = Self(rawValue: word) ?? (matches.count == 1 ? matches.first : nil) else { return nil }
        self = command
    }

    /// The commands whose names begin with `word`; none for an empty one.
    static func matches(of word: String) -> [ConsoleCommand] {
        word.isEmpty ? [] : allCases.filter { $0.rawValue.hasPrefix(word) }
    }

    /// Error message for a word that is not a command or is an ambiguous prefix.
    static func refusal(of word: String) -> String {
        let names = matches(of: word).map(\.rawValue)
        guard let last = names.last, names.count > 1 else {
            return "There is no \(ForeignText.name(word)) here; help shows what there is."
        }
        return "\(ForeignText.name(word)) could be \(names.dropLast().joined(separator: ", ")) or \(last)."
    }
}

/// Push messages that arrive while the interactive phone runs: each is announced at once and kept until it is answered.
@MainActor
final class ConsolePushes {
    private static let pause = Duration.seconds(5)

    nonisolated let notices = TerminalNotices()
    private let folder: PhoneFolder
    private var arrived: [PushMessage] = []

    init(folder: PhoneFolder) {
        self.folder = folder
    }

    var oldest: PushMessage? { arrived.first }

    /// Removes a message for good, so that it is not delivered again.
    func take(_ message: PushMessage) throws {
        arrived.removeAll { $0 == message }
        guard var subscription = try folder.subscription() else { return }
        subscription.lastNumber = max(subscription.lastNumber, message.number)
        try folder.keep(subscription)
    }

    /// Receives messages until the task is cancelled; returns at once without a push subscription.
    func listen() async {
        guard var subscription = try? folder.subscription(),
            let client = try? PushSinkClient(sink: subscription.sink, authorities: subscription.authorities)
        else { return }
        var isSilent = false
        while !Task.isCancelled {
            do throws(CommandFailure) {
                for message in try await client.messages(for: subscription, within: .seconds(60)) {
                    subscription.lastNumber = max(subscription.lastNumber, message.number)
                    announce(message)
                }
                isSilent = false
            } catch {
                // Reported once until the sink responds again; the phone works without push messages.
                if !isSilent, !Task.isCancelled { notices.post("Push messages do not arrive: \(error.message).") }
                isSilent = true
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func announce(_ message: PushMessage) {
        arrived.append(message)
        let title = [message.title, message.body].compactMap(\.self).map(ForeignText.name).joined(separator: ": ")
        notices.post("A push message has come\(title.isEmpty ? "" : " (\(title))"): answer shows it.")
    }
}
