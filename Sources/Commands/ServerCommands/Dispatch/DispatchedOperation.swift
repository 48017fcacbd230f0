import BackendAPI
import CommandSupport
import Octets
import ServerCore
import StrictJSON
import UAF

struct DispatchedOperation {
    enum Delivery {
        /// QR code of a link or of a payload; `link` and `picture` (Base64) are the dispatcher's answer, `file` is the
        /// path of a picture that was written.
        case code(ShownCode, link: Sensitive<String>?, picture: Sensitive<String>?, file: String?)
        /// Name of the push message.
        case message(String)
    }

    let operation: OperationKind
    let token: Sensitive<String>
    let sessionID: String
    let expiresAt: String
    /// Origin under which phones reach the server.
    let origin: String
    let linking: ShownChannelLinking?
    let dispatcher: DispatcherName
    let delivery: Delivery
    /// Options that select the same installation in other commands, each with a leading space.
    let location: String

    /// Report before the ceremony has ended.
    var outcome: CommandReport.Outcome { CommandReport.Outcome(text: text, result: result(.null)) }

    /// Report after the ceremony has ended, which does not repeat ``outcome``.
    func outcome(endedBy status: SessionStatus) -> CommandReport.Outcome {
        CommandReport.Outcome(text: "\(status.sentence)", result: result(status.json))
    }

    private var text: TerminalText {
        var lines: [TerminalText] = [
            "Dispatched the \(operation.pathName) by \(dispatcher.rawValue); good until \(expiresAt)."
        ]
        if let linking {
            let digits = linking.digits.map { String($0) }.joined(separator: " ")
            lines.append(
                linking.mode == .typed
                    ? "Type on the phone:   \(digits)" : "Compare with the phone:   \(digits)")
        }
        switch delivery {
        case .code(_, let link, _, let file?):
            lines.append("Scan with the phone:   \(file)")
            if let link { lines += ["Or open there:", "  \(link.reveal())"] }
        case .code(let code, let link, _, nil):
            lines += ["Scan with the phone:", "", code.drawing]
            if let link { lines += ["Or open there:", "  \(link.reveal())"] }
        case .message(let name): lines.append("The push service took it:   \(name)")
        }
        // Behind two hyphens, because the session ID may begin with one.
        lines.append("Follow it:   signet-server dispatch status --wait 120\(location) -- \(sessionID)")
        return TerminalText(lines)
    }

    private func result(_ status: JSONValue) -> JSONObject {
        [
            "dispatchResult": .string(DispatchResult.dispatched.rawValue), "operation": .string(operation.pathName),
            "token": .string(token.reveal()), "sessionId": .string(sessionID),
            "dispatcher": .string(dispatcher.rawValue),
            "expiresAt": .string(expiresAt), "channelLinking": .string((linking?.mode ?? .none).rawValue),
            "digits": .string(optional: linking?.digits), "link": .string(optional: delivery.link),
            "picture": .string(optional: delivery.picture), "file": .string(optional: delivery.file),
            "message": .string(optional: delivery.message), "status": status,
        ]
    }
}

extension DispatchedOperation.Delivery {
    fileprivate var link: String? { if case .code(_, let link, _, _) = self { link?.reveal() } else { nil } }
    fileprivate var picture: String? { if case .code(_, _, let picture, nil) = self { picture?.reveal() } else { nil } }
    var file: String? { if case .code(_, _, _, let file) = self { file } else { nil } }
    fileprivate var message: String? { if case .message(let name) = self { name } else { nil } }
}

extension JSONValue {
    fileprivate static func string(optional text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}

extension SessionStatus {
    var sentence: String {
        var words = [status.rawValue]
        if let user = outcome.userID { words.append("user \(ForeignText.name(user))") }
        words += outcome.authenticators.map { "\($0.credential.aaid) \($0.credential.keyID)" }
        if let code = outcome.uafStatus { words.append("UAF status \(code.rawValue)") }
        if outcome.isReported { words.append("the user says that another person began it") }
        if tokenInformation?.result == .timedOut { words.append("no phone redeemed the token in time") }
        return words.joined(separator: ", ") + " (since \(timestamp))"
    }

    var json: JSONValue {
        // The body was encoded by this process, so it can be parsed.
        (try? JSONParser.parse(body)) ?? .null
    }
}
