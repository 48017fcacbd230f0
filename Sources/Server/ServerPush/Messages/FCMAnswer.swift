import Octets
import StrictJSON

/// Response of the push service to a message.
enum FCMAnswer: Hashable, Sendable {
    case accepted(name: String)
    /// It does not know the registration token any more.
    case unregistered
    /// It does not take our access token.
    case unauthorized
    /// It is overloaded or broken; another try may succeed.
    case busy(retryAfter: String?)
    /// It does not take the message; `reason` is one of our words, for the log.
    case refused(reason: String)
    /// The response does not come from the service.
    case unintelligible

    init(_ response: PushResponse) {
        let code = Self.errorCode(in: response.body)
        switch response.status {
        case 200: self = Self.name(in: response.body).map { .accepted(name: $0) } ?? .unintelligible
        case 404 where code == "UNREGISTERED": self = .unregistered
        // The same status stands for a wrong certificate of Apple's service, which another token does not mend.
        case 401 where code != "THIRD_PARTY_AUTH_ERROR": self = .unauthorized
        case _ where response.isTemporary: self = .busy(retryAfter: response.retryAfter)
        case 400...499: self = .refused(reason: code ?? "HTTP \(response.status)")
        default: self = .unintelligible
        }
    }

    private static let limits = JSONLimits(byteCount: 64 * 1024, depth: 16)

    /// `projects/PROJECT/messages/ID`.
    private static func name(in body: [UInt8]) -> String? {
        guard let name = try? JSONParser.parse(body, limits: limits).asObject().string("name"),
            (1...512).contains(name.utf8.count), name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return name
    }

    /// The codes of the service (`FcmError.ErrorCode`), and the common codes of Google's services (`google.rpc.Code`).
    private static let codes: Set<String> = [
        "UNREGISTERED", "INVALID_ARGUMENT", "SENDER_ID_MISMATCH", "QUOTA_EXCEEDED", "UNAVAILABLE", "INTERNAL",
        "THIRD_PARTY_AUTH_ERROR", "NOT_FOUND", "PERMISSION_DENIED", "UNAUTHENTICATED", "RESOURCE_EXHAUSTED",
    ]

    /// The word for what is wrong; nil when it is none that we know, so that nothing foreign gets into the log.
    private static func errorCode(in body: [UInt8]) -> String? {
        guard
            let error = try? JSONParser.parse(body, limits: limits).asObject()
                .required("error", { value throws(JSONTypeError) in try value.asObject() })
        else { return nil }
        let details = (try? error.optional("details") { value throws(JSONTypeError) in try value.asArray() }) ?? []
        let specific = details.compactMap { try? $0.asObject().string("errorCode") }.first
        let code = specific ?? (try? error.string("status"))
        return code.flatMap { codes.contains($0) ? $0 : nil }
    }
}
