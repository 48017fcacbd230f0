import BackendAPI
import StrictJSON

/// Payload of a QR code, a link or a push message: a token and the address to redeem it at, readable or encrypted.
///
/// It does not authenticate its sender. Descriptions of it leave the token out.
public struct OutOfBandPayload: Hashable, Sendable {
    /// Content type of a payload.
    public enum ContentType: String, Codable, Hashable, Sendable {
        /// Readable by every holder.
        case json = "application/json"
        /// Encrypted to this device.
        case jose = "application/jose"
    }

    /// Data to redeem, readable or encrypted.
    public enum RedeemData: Hashable, Sendable {
        /// A token, and the address to redeem it at.
        case plain(token: String, redeemUrl: String)
        /// Only this device can read it, while the operation runs.
        case encrypted(String)
    }

    let content: OutOfBandEnvelope.Content

    init(_ envelope: OutOfBandEnvelope) { content = envelope.content }

    /// The version of the form; there is one.
    public var version: String { OutOfBandEnvelope.version }

    /// Whether the payload is readable.
    public var contentType: ContentType {
        switch content {
        case .plain: .json
        case .encrypted: .jose
        }
    }

    /// Data to redeem, as far as it is readable.
    public var redeemData: RedeemData {
        switch content {
        case .plain(let content): .plain(token: content.token, redeemUrl: content.redeemURL)
        case .encrypted(let token): .encrypted(token)
        }
    }

    /// Data that the sender added for the application, in a form of their choice; nil for none, and while it is
    /// encrypted.
    public var data: String? {
        if case .plain(let content) = content { content.attributes.data } else { nil }
    }
}

extension OutOfBandPayload: CustomStringConvertible, CustomReflectable {
    /// Version and content type.
    public var description: String { "OutOfBandPayload(version \(version), \(contentType.rawValue))" }

    /// Version and content type.
    public var customMirror: Mirror {
        Mirror(self, children: ["version": version, "contentType": contentType.rawValue])
    }
}

extension OutOfBandPayload.RedeemData: Redacted {}

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
