import StrictJSON
public import UAF

/// Context of a registration request.
public struct RegistrationContext: RequestContext {
    /// The operation whose request carries this context.
    public static let operation = OperationKind.registration

    /// The user to register; which of the user's names it is depends on the server.
    public let username: UserName
    /// Name of the policy to use; nil for the default policy of registration.
    public let policy: String?

    /// Names the user and, if wanted, the policy.
    public init(username: UserName, policy: String? = nil) {
        self.username = username
        self.policy = policy
    }
}

extension RegistrationContext: StrictContext {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            username: try members.required("username") { value throws(JSONTypeError) in try value.asUserName() },
            policy: try members.optionalString("policy"))
    }

    var json: JSONValue {
        .object(["username": .string(username.text), "policy": policy.map(JSONValue.string)])
    }
}
