import ArgumentParser
import StrictJSON

/// Where push messages for a phone arrive: an address at a push sink, which stands in for the phone's push service.
package struct PushSubscription: Hashable, Sendable {
    /// The form of the file; another one is refused.
    static let version = 1

    /// The base address of the sink.
    package var sink: String
    /// Certificates (PEM) that are trusted for it.
    package var authorities: String?
    /// The registration token that servers send to.
    package var token: String
    /// The number of the last message that was taken.
    package var lastNumber: Int

    /// An address at a sink; `authorities` are certificates in PEM form that are trusted for it.
    package init(sink: String, authorities: String? = nil, token: String, lastNumber: Int = 0) {
        self.sink = sink
        self.authorities = authorities
        self.token = token
        self.lastNumber = lastNumber
    }
}

extension PushSubscription {
    /// Reads what ``json`` writes.
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        let version = try members.required("version") { value throws(JSONTypeError) in try value.asInteger(Int.self) }
        guard version == Self.version else { throw JSONTypeError(path: ["version"], .outOfRange) }
        self.init(
            sink: try members.string("sink"), authorities: try members.optionalString("authorities"),
            token: try members.string("token"),
            lastNumber: try members.required("lastNumber") { value throws(JSONTypeError) in
                try value.asInteger(Int.self)
            })
    }

    /// The subscription as a JSON object.
    var json: JSONValue {
        .object(
            JSONObject([
                "version": .integer(Self.version), "sink": .string(sink),
                "authorities": authorities.map(JSONValue.string), "token": .string(token),
                "lastNumber": .integer(lastNumber),
            ]))
    }
}

/// Where push messages for a phone arrive.
struct PushOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The push sink (signet-server push-sink) that brings this phone its push messages.", valueName: "URL"))
    var pushSink: String?

    @Option(help: ArgumentHelp("Certificates (PEM) to trust for the push sink.", valueName: "FILE"))
    var pushCa: String?

    func validate() throws {
        guard pushCa == nil || pushSink != nil else { throw ValidationError("--push-ca goes with --push-sink.") }
    }

    /// A fresh address at the sink; nil when none was named.
    func subscribe() async throws -> PushSubscription? {
        guard let pushSink else { return nil }
        let authorities = try pushCa.map { String(decoding: try AuthorityFile.read($0), as: UTF8.self) }
        return try await PushSinkClient(sink: pushSink, authorities: authorities).subscribe(authorities: authorities)
    }
}

/// A push message as the operating system hands it to an application.
package struct PushMessage: Hashable, Sendable {
    /// Counts from 1 for each phone.
    package let number: Int
    /// The head of the notification; nil for none.
    package let title: String?
    /// The text of the notification; nil for none.
    package let body: String?
    /// The payload, a JSON document.
    package let payload: String

    /// Reads one of the sink's messages.
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        number = try members.required("number") { value throws(JSONTypeError) in try value.asInteger(Int.self) }
        let notification = try members.optional("notification") { value throws(JSONTypeError) in try value.asObject() }
        title = try notification?.optionalString("title") ?? nil
        body = try notification?.optionalString("body") ?? nil
        payload = JSONWriter.text(
            .object(try members.required("data") { value throws(JSONTypeError) in try value.asObject() }))
    }
}
