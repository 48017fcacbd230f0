import ServerAdministration
import ServerCore

/// Outcome of a change in words, with the status of the page that says so.
struct ConsoleNotice: Sendable, Hashable {
    let text: String
    var status = 200

    static let stale = ConsoleNotice(
        "Your sign-in is older than 15 minutes. Nothing was done: confirm with your phone, and your form comes again.",
        status: 403)
    static let kept = ConsoleNotice("Nothing was done yet. Your form is as you left it: look at it, and send it.")

    init(_ text: String, status: Int = 200) { (self.text, self.status) = (text, status) }

    init(_ refusal: AdministrationRefusal) {
        switch refusal {
        case .forbidden: self.init("Your role does not allow this. Nothing was done.", status: 403)
        case .reasonMissing:
            self.init("Say why, with 3 to 256 characters in one line. Nothing was done.", status: 400)
        case .versionMissing, .malformed, .unfit:
            self.init("The form is not complete. Nothing was done: try again from this page.", status: 400)
        case .changed:
            self.init("It was changed since you opened the page. Nothing was done; this is how it is now.", status: 409)
        case .taken: self.init("There is one of this name already. Nothing was done.", status: 409)
        case .unknown:
            self.init("It is not there any more, or your role does not reach it. Nothing was done.", status: 404)
        case .rule(let words), .undispatched(_, let words):
            self.init("Refused: \(words). Nothing was done.", status: 422)
        case .server(.tooManyOperations), .server(.overloaded):
            self.init("Too much is under way for this person. Nothing was done: try again in a minute.", status: 503)
        case .server(.refused):
            self.init("The account does not allow this; unlock it if it is locked. Nothing was done.", status: 422)
        case .server:
            self.init("The server cannot do this at the moment. Look at what is wrong now, or try again.", status: 503)
        }
    }
}
