package import StrictJSON

/// The array that a UAF message is.
///
/// FIDO UAF Protocol 1.1, 3.1.3: UAF 1.1 sends exactly one element; a client copes with one element for each version.
struct MessageEnvelope {
    /// The elements; each is a response or a request.
    private let elements: [JSONValue]
    private let rules: DecodingRules

    /// Reads the array; nothing is known of its elements.
    init(_ message: [UInt8], rules: DecodingRules) throws(MessageError) {
        self.rules = rules
        let document: JSONValue
        do throws(StrictJSONError) {
            document = try JSONParser.parse(message)
        } catch {
            throw MessageError(error)
        }
        do throws(JSONTypeError) {
            elements = try document.asArray()
        } catch {
            throw MessageError(error)
        }
    }

    /// The element with the highest version among `versions`; no version may occur twice.
    func element(highestOf versions: Set<ProtocolVersion>) throws(MessageError) -> JSONValue {
        let offered = try self.versions()
        let chosen = try VersionNegotiation.highest(of: offered, supported: versions)
        guard let position = offered.firstIndex(of: chosen) else { throw .unsupportedVersion }
        return elements[position]
    }

    /// The one element of the message, read by `read`.
    ///
    /// What the whole message is at fault for is said before what its element is at fault for. A header that can be
    /// read has a version, so that versions are looked at only where something is wrong.
    func onlyElement<Value>(
        _ read: (JSONValue) throws(JSONTypeError) -> Value
    ) throws(MessageError) -> Value {
        guard elements.count == 1 else {
            _ = try versions()
            throw .severalElements
        }
        do throws(JSONTypeError) {
            return try read(elements[0])
        } catch {
            _ = try versions()
            throw MessageError(error)
        }
    }

    /// The version of each element, at least one; no version may occur twice.
    private func versions() throws(MessageError) -> [ProtocolVersion] {
        let versions: [ProtocolVersion]
        do throws(JSONTypeError) {
            versions = try JSONValue.array(elements).readElements { element throws(JSONTypeError) in
                try Self.header(of: element, member: "upv", rules: rules)
            }
        } catch {
            throw MessageError(error)
        }
        guard !versions.isEmpty else { throw .emptyMessage }
        guard Set(versions).count == versions.count else { throw .severalElements }
        return versions
    }

    static func operation(of element: JSONValue, rules: DecodingRules) throws(JSONTypeError) -> OperationKind {
        try header(of: element, member: "op", rules: rules)
    }

    private static func header<Value: JSONCoded>(
        of element: JSONValue, member name: StaticString, rules: DecodingRules
    ) throws(JSONTypeError) -> Value {
        try element.asObject().read("header") { header throws(JSONTypeError) in
            try header.asObject().required(name, rules: rules)
        }
    }
}

/// Choice of the protocol version.
///
/// FIDO UAF Protocol 1.1, 3.4.6.1; FIDO UAF ASM API 1.1, 3.6.
public enum VersionNegotiation {
    /// The highest version that is both offered and supported.
    ///
    /// Throws ``MessageError/emptyMessage`` when nothing is offered, ``MessageError/unsupportedVersion`` when nothing
    /// fits.
    public static func highest(
        of offered: [ProtocolVersion], supported: Set<ProtocolVersion>
    ) throws(MessageError) -> ProtocolVersion {
        guard !offered.isEmpty else { throw .emptyMessage }
        guard let version = offered.filter(supported.contains).max() else { throw .unsupportedVersion }
        return version
    }
}

/// An extension of a message, a criteria or an assertion entry; unsigned.
///
/// FIDO UAF Protocol 1.1, 3.1.8. Anything relevant for security needs an ``AssertionExtension`` inside the signed data.
public struct MessageExtension: Hashable, Sendable {
    /// Identifier of the extension.
    public let id: ExtensionID
    /// Its data; may be empty, binary data is base64url.
    public let data: String
    /// Whether a receiver that does not know the extension must fail.
    public let failIfUnknown: Bool

    /// Makes an extension.
    public init(id: ExtensionID, data: String, failIfUnknown: Bool) {
        self.id = id
        self.data = data
        self.failIfUnknown = failIfUnknown
    }

    /// Whether both extensions are the same, byte by byte.
    public static func == (left: MessageExtension, right: MessageExtension) -> Bool {
        left.id == right.id && ExactString(left.data) == ExactString(right.data)
            && left.failIfUnknown == right.failIfUnknown
    }

    /// Hashes the bytes that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(ExactString(data))
        hasher.combine(failIfUnknown)
    }
}

extension MessageExtension: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            id: try members.required("id", rules: rules),
            data: try members.required("data") { value throws(JSONTypeError) in try value.asString() },
            failIfUnknown: try members.required("fail_if_unknown") { value throws(JSONTypeError) in
                try value.asBool()
            })
    }

    package var json: JSONValue {
        .object(["id": id.json, "data": .string(data), "fail_if_unknown": .bool(failIfUnknown)])
    }
}

extension [MessageExtension] {
    /// Throws ``MessageError/unknownCriticalExtension`` when one must not be ignored and is not among `known`.
    ///
    /// FIDO UAF Protocol 1.1, 3.1.8.
    public func requireKnown(_ known: Set<ExtensionID>) throws(MessageError) {
        for one in self where one.failIfUnknown && !known.contains(one.id) { throw .unknownCriticalExtension }
    }
}
