import Octets
import StrictJSON

/// Out-of-band payload on the wire: plain, or encrypted to one device.
///
/// Members, limits and errors: `docs/web/http-api.md`.
///
/// ```swift
/// guard case .plain(let payload) = try OutOfBandEnvelope(base64URL: scannedText).content else { return nil }
/// let redemption = RedeemRequest(token: payload.token)
/// let body = redemption.body  // To the address `payload.redeemURL`.
/// ```
public struct OutOfBandEnvelope: MessageBody {
    /// Plain or encrypted payload.
    public enum Content: Hashable, Sendable {
        /// Readable for everyone who gets hold of it.
        case plain(OutOfBandContent)
        /// A compact JWE whose plaintext is the body of an ``OutOfBandContent``.
        case encrypted(String)
    }

    /// Plain or encrypted payload.
    public let content: Content

    /// The only version there is.
    public static let version = "1"

    /// Wraps a content.
    public init(_ content: Content) { self.content = content }

    /// Reads the text of a QR code: the base64url of the document (2.6.2).
    ///
    /// Throws what ``init(body:)`` throws; text that is not base64url is ``BackendAPIError/malformedBody(offset:)``.
    public init(base64URL text: String) throws(BackendAPIError) {
        guard text.utf8.count <= Self.maximumByteCount,
            let octets = try? Base64URL.decode(text, strictness: .lenient)
        else { throw .malformedBody(offset: nil) }
        try self.init(body: octets)
    }

    /// The document as base64url without padding.
    public var base64URL: String { Base64URL.encode(body) }

    /// The longest text that is read, in bytes.
    public static let maximumByteCount = 64 * 1024

    /// The name of the parameter of a link that carries ``base64URL``.
    public static let linkParameter = "dispatchTokenResponse"
}

extension OutOfBandEnvelope.Content: CustomStringConvertible, CustomReflectable {
    /// Whether the content is readable without a key, without the content itself.
    public var description: String {
        switch self {
        case .plain: "plain"
        case .encrypted: "encrypted"
        }
    }

    /// Empty, so that reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension OutOfBandEnvelope: StrictBody {
    /// Reads a body; members of the push services beside the three of the envelope are ignored.
    ///
    /// Throws ``BackendAPIError/malformedBody(offset:)``, ``BackendAPIError/unsupportedMediaType`` for another version
    /// or content type, or ``BackendAPIError/invalidMember(path:)``.
    public init(body: [UInt8]) throws(BackendAPIError) {
        guard body.count <= Self.maximumByteCount else { throw .malformedBody(offset: nil) }
        let form = try Form.read(body: body)
        guard form.version == Self.version else { throw .unsupportedMediaType }
        self.init(try Self.content(of: form))
    }

    init(json: JSONValue) throws(JSONTypeError) {
        let form = try Form(json: json)
        do throws(BackendAPIError) {
            guard form.version == Self.version else { throw .unsupportedMediaType }
            self.init(try Self.content(of: form))
        } catch {
            throw JSONTypeError(.invalidForm)
        }
    }

    var json: JSONValue {
        switch content {
        case .plain(let content): Form(data: content.json, contentType: MediaType.json.essence).json
        case .encrypted(let token): Form(data: .string(token), contentType: MediaType.jose.essence).json
        }
    }

    /// The members of the envelope as texts, the form in which push services carry data.
    public var textMembers: [(name: String, value: String)] {
        guard case .object(let members) = json else { return [] }
        return members.members.map { member in
            guard case .string(let text) = member.value else { return (member.name, JSONWriter.text(member.value)) }
            return (member.name, text)
        }
    }

    private static func content(of form: Form) throws(BackendAPIError) -> Content {
        let type = try MediaType(parsing: form.contentType)
        switch type.essence {
        case MediaType.jose.essence:
            guard case .string(let token) = form.data else { throw .invalidMember(path: ["nma_data"]) }
            return .encrypted(token)
        case MediaType.json.essence:
            do throws(JSONTypeError) {
                return .plain(try OutOfBandContent(json: .object(try form.data.objectOrText())))
            } catch {
                throw .invalidMember(path: ["nma_data"] + error.path)
            }
        default: throw .unsupportedMediaType
        }
    }

    /// The three members as they are written.
    private struct Form: StrictlyCoded {
        let data: JSONValue
        let contentType: String
        let version: String

        init(data: JSONValue, contentType: String) {
            self.data = data
            self.contentType = contentType
            version = OutOfBandEnvelope.version
        }

        init(json: JSONValue) throws(JSONTypeError) {
            let members = try json.asObject()
            data = try members.required("nma_data") { value throws(JSONTypeError) in value }
            contentType = try members.string("nma_data_content_type")
            version = try members.string("nma_data_version")
        }

        var json: JSONValue {
            .object([
                "nma_data": data, "nma_data_content_type": .string(contentType),
                "nma_data_version": .string(version),
            ])
        }
    }
}
