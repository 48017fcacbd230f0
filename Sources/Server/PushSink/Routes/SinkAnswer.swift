import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON

/// Bodies of answers, and refusals in the words of the real service.
enum SinkAnswer {
    static func json(
        _ members: JSONObject, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        headers[.contentType] = "application/json; charset=UTF-8"
        headers[.cacheControl] = "no-store"
        return Response(
            status: status, headers: headers,
            body: .init(byteBuffer: ByteBuffer(bytes: JSONWriter.write(.object(members)))))
    }

    /// A refusal of the message service (`google.rpc.Status`).
    static func refusal(
        _ status: HTTPResponse.Status, _ code: String, _ message: String, errorCode: String? = nil,
        headers: HTTPFields = [:]
    ) -> Response {
        let detail = errorCode.map { code -> JSONValue in
            .array([
                .object([
                    "@type": .string("type.googleapis.com/google.firebase.fcm.v1.FcmError"),
                    "errorCode": .string(code),
                ])
            ])
        }
        let error: JSONObject = [
            "code": .integer(status.code), "message": .string(message), "status": .string(code), "details": detail,
        ]
        return json(["error": .object(error)], status: status, headers: headers)
    }

    /// A refusal of the token service (RFC 6749, 5.2).
    static func grantRefusal(_ code: String, _ description: String) -> Response {
        json(["error": .string(code), "error_description": .string(description)], status: .badRequest)
    }

    static func localRefusal(_ status: HTTPResponse.Status, _ message: String) -> Response {
        json(["error": .string(message)], status: status)
    }
}

extension Request {
    private static let bodyByteLimit = 64 * 1024

    /// The whole body; nil when it is too long or breaks off.
    func bytes() async -> [UInt8]? {
        guard let buffer = try? await body.collect(upTo: Self.bodyByteLimit) else { return nil }
        return Array(buffer.readableBytesView)
    }

    func json() async -> JSONValue? {
        guard headers[.contentType]?.hasPrefix("application/json") == true, let bytes = await bytes() else {
            return nil
        }
        return try? JSONParser.parse(bytes, limits: JSONLimits(byteCount: Self.bodyByteLimit, depth: 12))
    }
}
