import Octets
import StrictJSON
public import UAF

/// Context of an authentication request.
public struct AuthenticationContext: RequestContext {
    /// The operation whose request carries this context.
    public static let operation = OperationKind.authentication

    /// The user who is to authenticate; nil lets any registered user answer.
    public let username: UserName?
    /// Transaction for the user to confirm, in its renderings; empty for a plain authentication.
    public let transactions: [Transaction]
    /// Name of the policy to use; nil for the default policy of authentication.
    public let policy: String?
    /// Name of the least assurance of the keys that are asked out of band, such as `urn:signet:acr:chip`; nil for any.
    package var assurance: String?

    /// Names the user, the contents to confirm and the policy, as far as wanted.
    public init(username: UserName? = nil, transactions: [Transaction] = [], policy: String? = nil) {
        self.username = username
        self.transactions = transactions
        self.policy = policy
    }
}

extension AuthenticationContext: StrictContext {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            username: try members.optional("username") { value throws(JSONTypeError) in try value.asUserName() },
            transactions: try members.optional("transaction") { value throws(JSONTypeError) in
                try value.asArray { element throws(JSONTypeError) in try Self.transaction(element) }
            } ?? [],
            policy: try members.optionalString("policy"))
        assurance = try members.optionalString("assurance")
    }

    var json: JSONValue {
        .object([
            "username": (username?.text).map(JSONValue.string),
            "transaction": transactions.isEmpty ? nil : .array(transactions.map(Self.json)),
            "policy": policy.map(JSONValue.string), "assurance": assurance.map(JSONValue.string),
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
