import BackendAPI
import Foundation
import StrictJSON

/// What an Authentication Cloud gave to register with: the whole enroll response, or the link in it.
struct CloudInvitation: Sendable {
    var enrollResponse: String?
    var appLinkUri: String?

    private static let byteLimit = 256 << 10

    /// The payload inside.
    func envelope() throws(OutOfBandFailure) -> OutOfBandEnvelope {
        let link =
            switch (enrollResponse, appLinkUri) {
            case (let response?, nil): try Self.link(inResponse: response)
            case (nil, let link?): link
            case (nil, nil): throw .malformed(MissingParameterError("enrollResponse"))
            case (_?, _?): throw .malformed(InvalidParameterError("appLinkUri"))
            }
        let parameters = URLComponents(string: link)?.queryItems ?? []
        let texts = parameters.filter { $0.name == OutOfBandEnvelope.linkParameter }.compactMap(\.value)
        guard link.utf8.count <= Self.byteLimit, texts.count == 1, let text = texts.first else {
            throw .malformed(InvalidParameterError("appLinkUri"))
        }
        do throws(BackendAPIError) {
            return try OutOfBandEnvelope(base64URL: text)
        } catch {
            throw .malformed(error)
        }
    }

    /// The link in an enroll response (`backend-http-api` 8.1).
    private static func link(inResponse text: String) throws(OutOfBandFailure) -> String {
        let limits = JSONLimits(byteCount: byteLimit, depth: 16, elementCount: 1024)
        do {
            let response = try JSONParser.parse(text, limits: limits).asObject()
            return try response.required("enrollment") { value throws(JSONTypeError) in
                try value.asObject().string("appLinkUri")
            }
        } catch {
            throw .malformed(error)
        }
    }
}
