package import StrictJSON

extension OperationHeader: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        let operation: Operation = try members.required("op", rules: rules)
        let version: ProtocolVersion = try members.required("upv", rules: rules)
        let appID = try members.readIfPresent("appID") { value throws(JSONTypeError) in
            try AppIDMember(json: value, rules: rules)
        }
        self.init(
            version: version, operation: operation, appIDMember: appID ?? .absent,
            serverData: try members.optional("serverData", rules: rules),
            extensions: try members.list("exts", rules: rules))
    }

    package var json: JSONValue {
        .object(
            JSONObject([
                "upv": version.json, "op": .string(operation.rawValue), "appID": appIDMember.json,
                "serverData": serverData?.json, "exts": .list(extensions),
            ]))
    }

    /// The header of a message, which must be about `operation`.
    ///
    /// A `null` instead of an AppID is tolerated in a request only (FIDO AppID and Facet Specification 1.1, 3.1).
    static func read(
        from members: JSONObject, of operation: Operation, inRequest: Bool, rules: DecodingRules
    ) throws(JSONTypeError) -> OperationHeader {
        let header: OperationHeader = try members.required("header", rules: rules)
        guard header.operation == operation else { throw JSONTypeError(path: ["header", "op"], .invalidForm) }
        guard inRequest || header.appIDMember != .null else {
            throw JSONTypeError(path: ["header", "appID"], .wrongKind(expected: .string, found: .null))
        }
        // A response repeats the header of the request, and no request has an empty list.
        let namesExtensions = try members["header"]?.asObject()["exts"] != nil
        guard inRequest || !namesExtensions || !header.extensions.isEmpty else {
            throw JSONTypeError(path: ["header", "exts"], .invalidForm)
        }
        return header
    }
}

extension OperationHeader.AppIDMember {
    fileprivate init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        switch json {
        case .null: self = .null
        case .string(let text) where text.isEmpty: self = .empty
        default: self = .named(try AppID(json: json, rules: rules))
        }
    }

    fileprivate var json: JSONValue? {
        switch self {
        case .absent: nil
        case .null: .null
        case .empty: .string("")
        case .named(let appID): appID.json
        }
    }
}
