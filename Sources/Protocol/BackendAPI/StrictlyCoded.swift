import StrictJSON
import UAF

/// A value that is read from and written as strict JSON; the one place where both kinds of reading errors are mapped.
protocol StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError)
    var json: JSONValue { get }
}

extension StrictlyCoded {
    static func read(body: [UInt8]) throws(BackendAPIError) -> Self {
        let json: JSONValue
        do throws(StrictJSONError) {
            json = try JSONParser.parse(body, limits: .body)
        } catch {
            throw .malformedBody(offset: error.offset)
        }
        do throws(JSONTypeError) {
            return try Self(json: json)
        } catch {
            throw .invalidMember(path: error.path)
        }
    }

    static func read(context text: String) throws(BackendAPIError) -> Self {
        do throws(BackendAPIError) {
            return try read(body: Array(text.utf8))
        } catch {
            guard case .invalidMember(let path) = error else { throw .unreadableContext(path: []) }
            throw .unreadableContext(path: path)
        }
    }
}

protocol StrictBody: StrictlyCoded, MessageBody {}

extension StrictBody {
    /// Reads a body.
    ///
    /// Throws ``BackendAPIError/malformedBody(offset:)`` or ``BackendAPIError/invalidMember(path:)``.
    public init(body: [UInt8]) throws(BackendAPIError) { self = try Self.read(body: body) }

    /// The UTF-8 text of the document, without white space.
    public var body: [UInt8] { JSONWriter.write(json) }
}

protocol StrictContext: StrictlyCoded, RequestContext {}

extension StrictContext {
    /// Reads the text of a `context` member.
    ///
    /// Throws ``BackendAPIError/unreadableContext(path:)``.
    public init(text: String) throws(BackendAPIError) { self = try Self.read(context: text) }

    /// The text for a `context` member.
    public var text: String { JSONWriter.text(json) }
}

extension JSONValue {
    /// A user name: 1 to 128 characters, none of them NUL (FIDO UAF Protocol 1.1, 3.1 and 3.4).
    func asUserName() throws(JSONTypeError) -> UserName {
        guard let name = UserName(try asString()), !name.text.utf8.contains(0) else {
            throw JSONTypeError(.invalidForm)
        }
        return name
    }
}
