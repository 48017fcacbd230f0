package import StrictJSON

extension TrustedFacetList: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        self.init(entries: try json.asObject().requiredArray("trustedFacets", rules: rules))
    }

    package var json: JSONValue {
        .object(JSONObject(["trustedFacets": .array(entries.map(\.json))]))
    }

    /// Reads the document; throws ``MessageError`` when anything is missing, empty or mistyped.
    public init(document: [UInt8]) throws(MessageError) {
        let json: JSONValue
        do throws(StrictJSONError) {
            json = try JSONParser.parse(document, limits: JSONLimits(byteCount: Self.byteLimit, depth: 16))
        } catch {
            throw MessageError(error)
        }
        do throws(JSONTypeError) {
            try self.init(json: json, rules: .strict)
        } catch {
            throw MessageError(error)
        }
    }

    /// The document in UTF-8.
    public var document: [UInt8] { JSONWriter.write(json) }
}

extension TrustedFacetList.Entry: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            version: try members.required("version", rules: rules),
            ids: try members.requiredArray("ids", rules: rules))
    }

    package var json: JSONValue {
        .object(JSONObject(["version": version.json, "ids": .array(ids.map(\.json))]))
    }
}
