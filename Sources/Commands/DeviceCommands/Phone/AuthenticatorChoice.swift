import ArgumentParser
import CommandSupport
import MobileAuthentication
import StrictJSON

/// Names of the authenticator kinds in options and scripts.
enum AuthenticatorChoice: String, ExpressibleByArgument, CaseIterable {
    case pin
    case password
    case fingerprint
    case passcode
    case face

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

struct AuthenticatorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Which authenticator; without it the first that the server accepts and the phone offers.", valueName: "KIND"
        ))
    var authenticator: AuthenticatorChoice?
}

enum RequestedAuthenticator: Sendable {
    /// The first one that the server accepts and the phone offers.
    case first
    case kind(AuthenticatorChoice)
    case asked(Terminal)

    init(_ choice: AuthenticatorChoice?) { self = choice.map(Self.kind) ?? .first }
}

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

    var text: TerminalText { TextTable(head: Self.head, rows: rows).text }

    private static func word(_ isTrue: Bool) -> String { isTrue ? "yes" : "no" }
}

extension DeviceAuthenticator {
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
