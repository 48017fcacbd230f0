import StrictJSON

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
