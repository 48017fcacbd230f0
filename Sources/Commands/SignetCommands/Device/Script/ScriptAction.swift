/// What a step of a script does.
enum ScriptAction: String, CaseIterable, Sendable {
    case register
    case authenticate
    case changePin = "pin-change"
    case changePassword = "password-change"
    case deregister
    case deleteLocal = "delete-local"
    case list
    case wait
}
