import BackendAPI
import ServerCore
import StrictJSON
import UAF

/// An operation that is on its way to a phone, as the commands show it.
struct DispatchedOperation {
    /// What the dispatcher made of it.
    enum Delivery {
        /// The link that opens the application.
        case link(String)
        /// The picture of a QR code.
        case picture(base64: String)
        /// The file that the picture was written to.
        case file(String)
        /// The name of the push message.
        case message(String)
    }

    let operation: UAF.Operation
    let token: String
    let sessionID: String
    let expiresAt: Timestamp
    let linking: ShownChannelLinking?
    let dispatcher: DispatcherName
    let delivery: Delivery

    /// What there is to say before the end.
    var outcome: CommandReport.Outcome { CommandReport.Outcome(text: text, result: result(.null)) }

    /// What there is to say at the end, after ``outcome`` was said.
    func outcome(endedBy status: SessionStatus) -> CommandReport.Outcome {
        CommandReport.Outcome(text: status.sentence, result: result(status.json))
    }

    private var text: String {
        var lines = ["Dispatched the \(operation.word) by \(dispatcher.rawValue); good until \(expiresAt.iso8601)."]
        if let linking {
            let digits = linking.digits.map { String($0) }.joined(separator: " ")
            lines.append(
                linking.mode == .typed
                    ? "To be typed on the phone:   \(digits)" : "To be seen on the phone too:   \(digits)")
        }
        switch delivery {
        case .link(let link): lines += ["To be opened on the phone:", "  " + link]
        case .picture: lines.append("It is the picture of a QR code; --out FILE.png writes it to a file.")
        case .file(let path): lines.append("To be scanned with the phone:   \(path)")
        case .message(let name): lines.append("The push service took it:   \(ForeignText.name(name))")
        }
        // Behind two hyphens, since the id itself may begin with one.
        lines.append("How it goes:   signet-server dispatch status --wait 120 -- \(sessionID)")
        return lines.joined(separator: "\n")
    }

    private func result(_ status: JSONValue) -> JSONObject {
        [
            "dispatchResult": .string(DispatchResult.dispatched.rawValue), "operation": .string(operation.word),
            "token": .string(token), "sessionId": .string(sessionID), "dispatcher": .string(dispatcher.rawValue),
            "expiresAt": .string(expiresAt.iso8601),
            "channelLinking": .string((linking?.mode ?? .none).rawValue),
            "digits": linking.map { .string($0.digits) } ?? .null, "link": .string(optional: delivery.link),
            "picture": .string(optional: delivery.picture), "file": .string(optional: delivery.file),
            "message": .string(optional: delivery.message), "status": status,
        ]
    }
}

extension DispatchedOperation.Delivery {
    fileprivate var link: String? { if case .link(let link) = self { link } else { nil } }
    fileprivate var picture: String? { if case .picture(let text) = self { text } else { nil } }
    fileprivate var file: String? { if case .file(let path) = self { path } else { nil } }
    fileprivate var message: String? { if case .message(let name) = self { name } else { nil } }
}

extension JSONValue {
    fileprivate static func string(optional text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}

extension UAF.Operation {
    /// What people and the paths of the interface call it.
    fileprivate var word: String {
        switch self {
        case .registration: "registration"
        case .authentication: "authentication"
        case .deregistration: "deregistration"
        }
    }
}
