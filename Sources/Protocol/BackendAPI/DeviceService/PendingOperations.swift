import StrictJSON

/// Operations that wait for a device; sent to the device as the plaintext of a JWE.
///
/// Members, limits and errors: `docs/web/http-api.md`.
public struct PendingOperations: MessageBody {
    /// A token that was neither redeemed nor ran out.
    public struct Entry: Hashable, Sendable {
        /// The target that it was dispatched to.
        public let dispatchTargetID: String
        /// Dispatch time, in milliseconds since 1970 in UTC.
        public let creationTime: Int64
        /// Dispatcher that was used.
        public let dispatcher: DispatcherName
        /// Data outside the payload: for push messages the notification, a JSON object as text.
        public let additionalInformation: String?
        /// The payload.
        public let payload: OutOfBandEnvelope

        /// A token that waits.
        public init(
            dispatchTargetID: String, creationTime: Int64, dispatcher: DispatcherName, additionalInformation: String?,
            payload: OutOfBandEnvelope
        ) {
            self.dispatchTargetID = dispatchTargetID
            self.creationTime = creationTime
            self.dispatcher = dispatcher
            self.additionalInformation = additionalInformation
            self.payload = payload
        }
    }

    /// The request that is answered.
    public let requestID: String
    /// Waiting operations, the newest first.
    public let entries: [Entry]

    /// List of the operations that wait for a device.
    public init(requestID: String, entries: [Entry]) {
        self.requestID = requestID
        self.entries = entries
    }
}

extension PendingOperations: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            requestID: try members.string("requestId"),
            entries: try members.required("operations") { value throws(JSONTypeError) in
                try value.asArray(Entry.init(json:))
            })
    }

    var json: JSONValue {
        .object(["requestId": .string(requestID), "operations": .array(entries.map(\.json))])
    }
}

extension PendingOperations.Entry: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            dispatchTargetID: try members.string("dispatchTargetId"),
            creationTime: try members.integer("creationTimeInEpochMillis"),
            dispatcher: DispatcherName(rawValue: try members.string("dispatcher")),
            additionalInformation: try members.optionalString("additionalInformation"),
            payload: try members.required("payload", OutOfBandEnvelope.init(json:)))
    }

    var json: JSONValue {
        .object([
            "dispatchTargetId": .string(dispatchTargetID), "creationTimeInEpochMillis": .integer(creationTime),
            "dispatcher": .string(dispatcher.rawValue),
            "additionalInformation": additionalInformation.map(JSONValue.string), "payload": payload.json,
        ])
    }
}
