import BackendAPI
import MobileAuthenticationTestKit
import Octets
import StrictJSON
import TestSupport
import UAF

/// UAF response of a phone in the hands of an attacker, who puts its parts together anew.
struct CapturedResponse: Sendable {
    /// The request that carried it.
    let request: TestRequest
    private let members: JSONObject

    /// Takes a response out of the request that carries it.
    init(_ request: TestRequest) throws {
        self.request = request
        let text = try SendUAFResponse(body: request.body).uafResponse
        members = try JSONParser.parse(text).asArray { value throws(JSONTypeError) in try value.asObject() }[0]
    }

    /// What the phone has signed.
    var finalChallenge: FinalChallengeParameters {
        get throws { try FinalChallengeParameters(encoded: try members.string("fcParams")) }
    }

    /// The assertion.
    var assertion: [UInt8] {
        get throws {
            let texts = try members.required("assertions") { value throws(JSONTypeError) in
                try value.asArray { element throws(JSONTypeError) in try element.asObject().string("assertion") }
            }
            return try Base64URL.decode(texts[0])
        }
    }

    /// The request that brings these parts of another response under the header of this one.
    func carrying(_ names: [String], of other: CapturedResponse) -> TestRequest {
        var mixed = members
        for name in names { mixed = mixed.replacing(name, with: other.members[name]) }
        var request = request
        let message = JSONWriter.write(.array([.object(mixed)]))
        request.body = SendUAFResponse(uafResponse: String(decoding: message, as: UTF8.self)).body
        return request
    }
}

extension TestResponse {
    /// Status with which the server has answered a UAF response; nil for a refusal by an HTTP status.
    var verdict: StatusCode? { status == 200 ? (try? ServerResponse(body: body))?.statusCode : nil }

    /// The same answer without extensions in the header of the UAF request that it brings, if it brings one.
    func withoutAnnouncement() throws -> TestResponse {
        guard let answer = try? ReturnUAFRequest(body: body), let text = answer.uafRequest,
            let operation = answer.operation
        else { return self }
        let message = try JSONParser.parse(text).asArray { value throws(JSONTypeError) in try value.asObject() }[0]
        let header = try message.required("header") { value throws(JSONTypeError) in try value.asObject() }
        let stripped = message.replacing("header", with: .object(header.replacing("exts", with: nil)))
        var response = self
        response.body =
            ReturnUAFRequest(
                uafRequest: String(decoding: JSONWriter.write(.array([.object(stripped)])), as: UTF8.self),
                operation: operation, lifetimeMillis: answer.lifetimeMillis
            ).body
        return response
    }
}
