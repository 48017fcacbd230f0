import Octets
import StrictJSON
import UAF

extension AuthenticationContext: StrictlyCoded {
    /// Reads the text of a `context` member.
    ///
    /// Throws ``BackendAPIError/unreadableContext(path:)``.
    public init(text: String) throws(BackendAPIError) { self = try Self.read(context: text) }

    /// The text for a `context` member.
    public var text: String { JSONWriter.text(json) }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            username: try members.optional("username") { value throws(JSONTypeError) in try value.asUserName() },
            transactions: try members.optional("transaction") { value throws(JSONTypeError) in
                try value.asArray { element throws(JSONTypeError) in try Self.transaction(element) }
            } ?? [],
            policy: try members.optionalString("policy"))
    }

    var json: JSONValue {
        .object([
            "username": (username?.text).map(JSONValue.string),
            "transaction": transactions.isEmpty ? nil : .array(transactions.map(Self.json)),
            "policy": policy.map(JSONValue.string),
        ])
    }

    // MARK: - Transactions

    /// Whether the type and the length are allowed is the server's decision; here the content only has to be base64.
    private static func transaction(_ value: JSONValue) throws(JSONTypeError) -> Transaction {
        let members = try value.asObject()
        return Transaction(
            contentType: ContentType(try members.string("contentType")),
            content: try members.required("content") { value throws(JSONTypeError) in try octets(value) })
    }

    /// Callers in the field send standard base64 too; what we send on is always base64url.
    private static func octets(_ value: JSONValue) throws(JSONTypeError) -> [UInt8] {
        let text = try value.asString()
        do throws(Base64Error) {
            return try Base64URL.decode(text, strictness: .lenient)
        } catch {
            throw JSONTypeError(.invalidForm)
        }
    }

    private static func json(_ transaction: Transaction) -> JSONValue {
        .object([
            "contentType": .string(transaction.contentType.name),
            "content": .string(Base64URL.encode(transaction.content)),
        ])
    }
}
