import BackendAPI
import StrictJSON
import UAF

extension SessionStatus {
    /// The status in a sentence.
    var sentence: String {
        var words = [status.rawValue]
        if let user = outcome.userID { words.append("user \(ForeignText.name(user))") }
        words += outcome.authenticators.map { "\($0.credential.aaid) \($0.credential.keyID)" }
        if let code = outcome.uafStatus { words.append("UAF status \(code.rawValue)") }
        if outcome.isReported { words.append("the person says that somebody else began it") }
        if tokenInformation?.result == .timedOut { words.append("nobody brought the token back in time") }
        return words.joined(separator: ", ") + " (since \(timestamp))"
    }

    /// The members that the status service would answer with.
    var json: JSONValue {
        // What we have written ourselves can be read.
        (try? JSONParser.parse(body)) ?? .null
    }
}
