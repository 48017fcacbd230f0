public import JOSE
import StrictJSON

/// Document of the key set endpoint: the keys that verify tokens, and public facts about the server.
///
/// A set of keys may have members beside `keys`, which readers who do not know them ignore (RFC 7517, 5). See
/// `docs/web/http-api.md`.
public struct KeySetDocument: MessageBody {
    /// Keys that verify the server's tokens.
    public let keys: JWKS
    /// Kinds of dispatchers by which operations reach phones, one of each; nil for a server that does not tell.
    public let dispatchers: [DispatcherName]?

    /// Number of keys in the set.
    public var keyCount: Int { keys.keys.count }

    private static let dispatcherMember = "signet_dispatchers"

    /// Creates a document; duplicates among `dispatchers` are dropped.
    public init(keys: JWKS, dispatchers: [DispatcherName]? = nil) {
        self.keys = keys
        self.dispatchers = dispatchers.map { names in
            names.enumerated().filter { index, name in !names.prefix(index).contains(name) }.map(\.element)
        }
    }

    /// Reads the keys as `JWKS.init(json:)` does; every refusal is ``BackendAPIError/malformedBody(offset:)``.
    ///
    /// A member for dispatchers that cannot be read counts as none: a verifier of tokens does not depend on it.
    public init(body: [UInt8]) throws(BackendAPIError) {
        let keys: JWKS
        do throws(JOSEError) {
            keys = try JWKS(json: body)
        } catch {
            throw .malformedBody(offset: nil)
        }
        let members = try? JSONParser.parse(body).asObject()
        self.init(keys: keys, dispatchers: members.flatMap { Self.dispatchers($0[Self.dispatcherMember]) })
    }

    /// The UTF-8 text of the document, without white space.
    public var body: [UInt8] {
        JSONWriter.write(
            .object([
                "keys": .array(keys.keys.map { .object($0.members) }),
                Self.dispatcherMember: dispatchers.map { .array($0.map { .string($0.rawValue) }) },
            ]))
    }

    private static func dispatchers(_ value: JSONValue?) -> [DispatcherName]? {
        guard case .array(let values)? = value else { return nil }
        let names = values.compactMap { value in if case .string(let name) = value { name } else { nil } }
        return names.count == values.count ? names.map(DispatcherName.init(rawValue:)) : nil
    }
}
