package import StrictJSON

/// An extension that a model supports.
///
/// FIDO Metadata Statements 1.1, 3.10 (`ExtensionDescriptor`).
public struct SupportedExtension: Hashable, Sendable {
    /// Identifier of the extension.
    public let id: ExtensionID
    /// Whether a receiver that does not know it must fail.
    public let failIfUnknown: Bool
    /// Its data: formally a string, in the specification's example an object.
    package let data: JSONValue?

    /// Creates an extension without data.
    public init(id: ExtensionID, failIfUnknown: Bool) {
        self.init(id: id, failIfUnknown: failIfUnknown, data: nil)
    }

    package init(id: ExtensionID, failIfUnknown: Bool, data: JSONValue?) {
        self.id = id
        self.failIfUnknown = failIfUnknown
        self.data = data
    }
}

extension SupportedExtension: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            id: try members.required("id", rules: rules),
            failIfUnknown: try members.required("fail_if_unknown") { value throws(JSONTypeError) in
                try value.asBool()
            },
            data: members["data"])
    }

    package var json: JSONValue {
        .object(["id": id.json, "data": data, "fail_if_unknown": .bool(failIfUnknown)])
    }
}
