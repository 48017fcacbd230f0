package import StrictJSON

/// Header of every UAF message.
///
/// FIDO UAF Protocol 1.1, 3.1.3. A response carries a copy of the request's header.
public struct OperationHeader: Hashable, Sendable {
    /// AppID member of the header, including the three ways of leaving it out.
    ///
    /// They mean the same, but a response has to repeat what the request said.
    public enum AppIDMember: Hashable, Sendable {
        /// The member is not there.
        case absent
        /// The member is `null`, the only `null` a reader tolerates.
        case null
        /// The member is the empty string.
        case empty
        /// The member names an application.
        case named(AppID)
    }

    /// Version of the protocol.
    public let version: ProtocolVersion
    /// Operation of the message.
    public let operation: OperationKind
    /// The application as the header spells it.
    public let appIDMember: AppIDMember
    /// Session data of the server, returned unchanged.
    public let serverData: ServerData?
    /// Extensions of the message.
    public let extensions: [MessageExtension]

    /// Makes a header; the member `appID` is left out when there is none.
    public init(
        version: ProtocolVersion = .version11, operation: OperationKind, appID: AppID?, serverData: ServerData? = nil,
        extensions: [MessageExtension] = []
    ) {
        self.init(
            version: version, operation: operation, appIDMember: appID.map { .named($0) } ?? .absent,
            serverData: serverData, extensions: extensions)
    }

    /// Makes a header that spells the application as given.
    public init(
        version: ProtocolVersion = .version11, operation: OperationKind, appIDMember: AppIDMember,
        serverData: ServerData? = nil, extensions: [MessageExtension] = []
    ) {
        self.version = version
        self.operation = operation
        self.appIDMember = appIDMember
        self.serverData = serverData
        self.extensions = extensions
    }

    /// The application, or nil when the header leaves it to the caller's FacetID.
    public var appID: AppID? {
        guard case .named(let appID) = appIDMember else { return nil }
        return appID
    }
}

extension OperationHeader: JSONCoded {
    package init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        try self.init(try json.asObject(), rules: rules)
    }

    private init(_ members: JSONObject, rules: DecodingRules) throws(JSONTypeError) {
        let operation: OperationKind = try members.required("op", rules: rules)
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
        .object([
            "upv": version.json, "op": .string(operation.rawValue), "appID": appIDMember.json,
            "serverData": serverData?.json, "exts": .list(extensions),
        ])
    }

    /// The header of a message, which must be about `operation`.
    ///
    /// A `null` instead of an AppID is tolerated in a request only (FIDO AppID and Facet Specification 1.1, 3.1).
    static func read(
        from members: JSONObject, of operation: OperationKind, inRequest: Bool, rules: DecodingRules
    ) throws(JSONTypeError) -> OperationHeader {
        try members.read("header") { json throws(JSONTypeError) in
            let members = try json.asObject()
            let header = try OperationHeader(members, rules: rules)
            guard header.operation == operation else { throw JSONTypeError(path: ["op"], .invalidForm) }
            guard inRequest || header.appIDMember != .null else {
                throw JSONTypeError(path: ["appID"], .wrongKind(expected: .string, found: .null))
            }
            // A response repeats the header of the request, and no request has an empty list.
            guard inRequest || !header.extensions.isEmpty || members.member("exts") == nil else {
                throw JSONTypeError(path: ["exts"], .invalidForm)
            }
            return header
        }
    }
}

extension OperationHeader.AppIDMember {
    fileprivate init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
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
