import ArgumentParser
import MobileAuthentication
import StrictJSON
import VirtualDevice

/// The kinds of authenticators, as commands and scripts call them.
enum AuthenticatorChoice: String, ExpressibleByArgument, CaseIterable {
    case pin
    case password
    case fingerprint
    case passcode
    case face

    /// The word for a kind.
    init(_ kind: AuthenticatorAaid) {
        self =
            switch kind {
            case .Pin: .pin
            case .Password: .password
            case .Fingerprint: .fingerprint
            case .DevicePasscode: .passcode
            case .FaceRecognition: .face
            }
    }

    /// The kind that the word stands for.
    var kind: AuthenticatorAaid {
        switch self {
        case .pin: .Pin
        case .password: .Password
        case .fingerprint: .Fingerprint
        case .passcode: .DevicePasscode
        case .face: .FaceRecognition
        }
    }
}

/// Which authenticator a command uses.
struct AuthenticatorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Which authenticator; without it the first that the server accepts and the phone offers.", valueName: "KIND"
        ))
    var authenticator: AuthenticatorChoice?
}

/// Which authenticator a person wants.
enum AuthenticatorWish: Sendable {
    /// The first that the server accepts and the phone offers.
    case first
    /// This one.
    case kind(AuthenticatorChoice)
    /// The one that the person chooses from a list.
    case asked(Terminal)

    /// What an option says.
    init(_ choice: AuthenticatorChoice?) { self = choice.map(Self.kind) ?? .first }
}

/// The authenticators of a phone as a table for people.
struct AuthenticatorTable {
    private static let head = ["KIND", "AAID", "HARDWARE", "SYSTEM", "ENROLLED", "ACCOUNTS"]

    private let rows: [[String]]

    init(_ authenticators: [DeviceAuthenticator]) {
        rows = authenticators.map { authenticator in
            let accounts = authenticator.registrations.map { registration in
                ForeignText.name(registration.username) + (registration.isUsable ? "" : " (unusable)")
            }
            return [
                AuthenticatorChoice(authenticator.kind).rawValue, authenticator.aaid,
                Self.word(authenticator.isSupportedByHardware), Self.word(authenticator.isSupportedByOs),
                Self.word(authenticator.isEnrolled), accounts.isEmpty ? "-" : accounts.joined(separator: ", "),
            ]
        }
    }

    /// The lines, with columns of even width.
    var text: String { TextTable(head: Self.head, rows: rows).text }

    private static func word(_ isTrue: Bool) -> String { isTrue ? "yes" : "no" }
}

extension DeviceAuthenticator {
    /// The authenticator for programs.
    var json: JSONObject {
        JSONObject([
            "kind": .string(AuthenticatorChoice(kind).rawValue), "aaid": .string(aaid),
            "isSupportedByHardware": .bool(isSupportedByHardware), "isSupportedByOs": .bool(isSupportedByOs),
            "isEnrolled": .bool(isEnrolled),
            "accounts": .array(
                registrations.map { registration in
                    .object(
                        JSONObject([
                            "username": .string(registration.username), "server": .string(registration.server),
                            "isUsable": .bool(registration.isUsable),
                        ]))
                }),
        ])
    }
}
