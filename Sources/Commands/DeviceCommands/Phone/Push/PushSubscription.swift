import ArgumentParser
import Octets
import StrictJSON

/// Push subscription of a phone at a push sink, which stands in for the phone's push service.
package struct PushSubscription: Hashable, Sendable {
    /// Version of the file format; any other one is refused.
    static let version = 1

    /// Base URL of the sink.
    package var sink: String
    /// Certificates (PEM) that are trusted for the sink.
    package var authorities: String?
    package var token: String { sensitiveToken.reveal() }
    private let sensitiveToken: Sensitive<String>
    /// Sequence number of the last message that was taken.
    package var lastNumber: Int

    /// Subscription at a sink; `authorities` are certificates in PEM form that are trusted for it.
    package init(sink: String, authorities: String? = nil, token: String, lastNumber: Int = 0) {
        self.sink = sink
        self.authorities = authorities
        sensitiveToken = Sensitive(token)
        self.lastNumber = lastNumber
    }
}

extension PushSubscription {
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

    var json: JSONValue {
        .object(
            JSONObject([
                "version": .integer(Self.version), "sink": .string(sink),
                "authorities": authorities.map(JSONValue.string), "token": .string(token),
                "lastNumber": .integer(lastNumber),
            ]))
    }
}

struct PushOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The push sink (signet-push-sink) that brings this phone its push messages.", valueName: "URL"))
    var pushSink: String?

    @Option(help: ArgumentHelp("Certificates (PEM) to trust for the push sink.", valueName: "FILE"))
    var pushCa: String?

    func validate() throws {
        guard pushCa == nil || pushSink != nil else { throw ValidationError("--push-ca goes with --push-sink.") }
    }

    /// Obtains a new registration token at the sink; nil when no sink was named.
    func subscribe() async throws -> PushSubscription? {
        guard let pushSink else { return nil }
        let authorities = try pushCa.map { String(decoding: try AuthorityFile.read($0), as: UTF8.self) }
        return try await PushSinkClient(sink: pushSink, authorities: authorities).subscribe(authorities: authorities)
    }
}

/// Push message in the form in which the operating system hands it to an application.
package struct PushMessage: Hashable, Sendable {
    /// Sequence number of the message, counted from 1 for each phone.
    package let number: Int
    package let title: String?
    package let body: String?
    /// Out-of-band payload, a JSON document.
    package var payload: String { sensitivePayload.reveal() }
    private let sensitivePayload: Sensitive<String>

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        number = try members.required("number") { value throws(JSONTypeError) in try value.asInteger(Int.self) }
        let notification = try members.optional("notification") { value throws(JSONTypeError) in try value.asObject() }
        title = try notification?.optionalString("title") ?? nil
        body = try notification?.optionalString("body") ?? nil
        sensitivePayload = Sensitive(
            JSONWriter.text(
                .object(try members.required("data") { value throws(JSONTypeError) in try value.asObject() })))
    }
}
