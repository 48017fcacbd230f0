import BackendAPI
import StrictJSON

/// The coded form has the members of the document: `nma_data`, `nma_data_content_type`, `nma_data_version`.
extension OutOfBandPayload: Codable {
    /// A name of a member.
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    /// Reads the document, by the rules of ``OutOfBandPayloadDecode``; `nma_data` may be an object or a text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        var members: [JSONObject.Member] = []
        for name in ["nma_data", "nma_data_content_type", "nma_data_version"].map(Name.init(stringValue:)) {
            members.append(
                JSONObject.Member(name.stringValue, try container.decode(AnyMember.self, forKey: name).value))
        }
        do {
            self.init(try OutOfBandEnvelope(body: JSONWriter.write(.object(JSONObject(distinct: members)))))
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "not an out-of-band payload",
                    underlyingError: error))
        }
    }

    /// Writes the document, with `nma_data` as a text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for member in OutOfBandEnvelope(content).textMembers {
            try container.encode(member.value, forKey: Name(stringValue: member.name))
        }
    }

    /// A member of any kind.
    private struct AnyMember: Decodable {
        let value: JSONValue

        init(from decoder: any Decoder) throws {
            if let container = try? decoder.container(keyedBy: Name.self) {
                value = .object(
                    JSONObject(
                        distinct: try container.allKeys.map { name in
                            JSONObject.Member(
                                name.stringValue, try container.decode(AnyMember.self, forKey: name).value)
                        }))
            } else if var container = try? decoder.unkeyedContainer() {
                var elements: [JSONValue] = []
                while !container.isAtEnd { elements.append(try container.decode(AnyMember.self).value) }
                value = .array(elements)
            } else {
                let container = try decoder.singleValueContainer()
                if container.decodeNil() {
                    value = .null
                } else if let text = try? container.decode(String.self) {
                    value = .string(text)
                } else if let truth = try? container.decode(Bool.self) {
                    value = .bool(truth)
                } else {
                    value = .integer(try container.decode(Int64.self))
                }
            }
        }
    }
}
