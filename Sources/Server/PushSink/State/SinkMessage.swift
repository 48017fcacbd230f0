import Octets
import StrictJSON

/// A message as the server has sent it, read as strictly as the real service does.
struct SinkMessage: Hashable, Sendable {
    /// The most bytes of names and values that the real service takes.
    static let maximumByteCount = 4_096

    let registrationToken: Sensitive<String>
    let title: String?
    let body: String?
    /// Names and values in the order they came.
    let data: [Datum]
    /// Time for which the service keeps the message for a phone that is off.
    let timeToLive: Duration
    /// Expiration for Apple's service (`apns-expiration`); nil for none.
    let apnsExpiration: Int64?
    let isDryRun: Bool

    /// One value under a name.
    struct Datum: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// Bytes of the names and values, without the notification's.
    var byteCount: Int { data.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }
}

extension SinkMessage {
    /// Reads the body of `messages:send`; throws ``JSONTypeError`` for a member that the service does not know, too.
    init(json: JSONValue) throws(JSONTypeError) {
        let request = try json.asObject()
        try request.requireOnly(["message", "validate_only"])
        let message = try request.required("message") { value throws(JSONTypeError) in try value.asObject() }
        try message.requireOnly(["token", "notification", "data", "android", "apns"])
        let notification = try message.optional("notification") { value throws(JSONTypeError) in try value.asObject() }
        try notification?.requireOnly(["title", "body", "image"])
        let android = try message.optional("android") { value throws(JSONTypeError) in try value.asObject() }
        let apns = try message.optional("apns") { value throws(JSONTypeError) in try value.asObject() }
        self.init(
            registrationToken: Sensitive(try message.string("token")),
            title: try notification?.optionalString("title") ?? nil,
            body: try notification?.optionalString("body") ?? nil,
            data: try message.optional("data") { value throws(JSONTypeError) in try Self.data(value) } ?? [],
            timeToLive: try Self.timeToLive(android), apnsExpiration: try Self.apnsExpiration(apns),
            isDryRun: try request.optional("validate_only") { value throws(JSONTypeError) in try value.asBool() }
                ?? false
        )
        guard byteCount <= Self.maximumByteCount else { throw JSONTypeError(path: ["message", "data"], .outOfRange) }
    }

    /// Values are texts; some names belong to the service.
    private static func data(_ value: JSONValue) throws(JSONTypeError) -> [Datum] {
        var data: [Datum] = []
        for member in try value.asObject().members {
            let isReserved = member.name == "from" || ["google", "gcm"].contains(where: member.name.hasPrefix)
            guard !isReserved, case .string(let text) = member.value else {
                throw JSONTypeError(path: ["message", "data", member.name], .invalidForm)
            }
            data.append(Datum(name: member.name, value: text))
        }
        return data
    }

    /// `120s`; four weeks at most, which is also what holds when nothing is said.
    private static func timeToLive(_ android: JSONObject?) throws(JSONTypeError) -> Duration {
        let longest = 2_419_200
        guard let text = try android?.optionalString("ttl") else { return .seconds(longest) }
        guard text.hasSuffix("s"), let seconds = Int(text.dropLast()), (0...longest).contains(seconds) else {
            throw JSONTypeError(path: ["message", "android", "ttl"], .invalidForm)
        }
        return .seconds(seconds)
    }

    /// The headers of Apple's service are texts.
    private static func apnsExpiration(_ apns: JSONObject?) throws(JSONTypeError) -> Int64? {
        let headers = try apns?.optional("headers") { value throws(JSONTypeError) in try value.asObject() }
        guard let text = try headers?.optionalString("apns-expiration") else { return nil }
        guard let seconds = Int64(text), seconds >= 0 else {
            throw JSONTypeError(path: ["message", "apns", "headers", "apns-expiration"], .invalidForm)
        }
        return seconds
    }
}

extension JSONObject {
    fileprivate func requireOnly(_ names: Set<String>) throws(JSONTypeError) {
        guard let foreign = members.first(where: { !names.contains($0.name) }) else { return }
        throw JSONTypeError(path: [foreign.name], .invalidForm)
    }
}
