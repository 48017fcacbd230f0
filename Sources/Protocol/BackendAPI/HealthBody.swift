import Octets
import StrictJSON

/// The answer of the health services (`backend-http-api` 9).
public struct HealthBody: MessageBody {
    /// Whether everything that counts is in order.
    public let isUp: Bool

    /// A state.
    public init(isUp: Bool) {
        self.isUp = isUp
    }

    /// The HTTP status that goes with the state.
    public var httpStatus: Int { isUp ? 200 : 503 }
}

extension HealthBody: StrictlyCoded {
    /// Reads a body.
    ///
    /// Throws ``BackendAPIError/malformedBody(offset:)`` or ``BackendAPIError/invalidMember(path:)``.
    public init(body: [UInt8]) throws(BackendAPIError) { self = try Self.read(body: body) }

    /// The UTF-8 text of the document, without white space.
    public var body: [UInt8] { JSONWriter.write(json) }

    init(json: JSONValue) throws(JSONTypeError) {
        self.init(isUp: try json.asObject().string("status").hasSameOctets(as: "UP"))
    }

    var json: JSONValue { .object(["status": .string(isUp ? "UP" : "DOWN")]) }
}
