import StrictJSON
import UAF

/// Good messages as JSON, to be spoiled one member at a time.
enum MessageSample {
    static let challenge = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    static let policy = #"{"accepted":[[{"aaid":["F1D0#1001"]}]]}"#

    static func header(_ operation: String, _ more: String = "") -> String {
        #"{"upv":{"major":1,"minor":1},"op":"\#(operation)","appID":"https://example.com/facets"\#(more)}"#
    }

    static let registration = [
        "header": header("Reg"), "challenge": #""\#(challenge)""#, "username": #""alice""#, "policy": policy,
    ]
    static let authentication = [
        "header": header("Auth"), "challenge": #""\#(challenge)""#, "policy": policy,
    ]
    static let deregistration = [
        "header": header("Dereg"), "authenticators": #"[{"aaid":"F1D0#1001","keyID":"\#(challenge)"}]"#,
    ]
    static let response = [
        "header": header("Reg"), "fcParams": #""\#(fcParams)""#,
        "assertions": #"[{"assertionScheme":"UAFV1TLV","assertion":"AAAA"}]"#,
    ]

    static var fcParams: String {
        guard let appID = AppID("https://example.com/facets"), let facetID = FacetID("ios:bundle-id:com.example"),
            let challenge = ServerChallenge(base64URL: challenge)
        else { return "" }
        return FinalChallengeParameters(appID: appID, challenge: challenge, facetID: facetID).encoded
    }

    /// The dictionary with one member replaced, or left out when `value` is nil.
    static func replacing(_ name: String, by value: String?, in members: [String: String]) -> String {
        var members = members
        members[name] = value
        return "{" + members.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
            + "}"
    }

    static func text(_ members: [String: String]) -> String {
        replacing("", by: nil, in: members)
    }

    /// What a client reports for a message of these elements; nil when it is accepted.
    static func clientError(_ elements: String...) -> ClientErrorCode? {
        do throws(MessageError) {
            _ = try OperationRequest(message: Array("[\(elements.joined(separator: ","))]".utf8))
            return nil
        } catch {
            return error.clientErrorCode
        }
    }

    /// Why a server cannot read a message of these elements; nil when it can.
    static func serverError(_ elements: String...) -> MessageError? {
        do throws(MessageError) {
            _ = try OperationResponse(message: Array("[\(elements.joined(separator: ","))]".utf8))
            return nil
        } catch {
            return error
        }
    }
}
