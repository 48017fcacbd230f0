import StrictJSON
public import UAF

/// Body of the identity suite's authentication request service.
///
/// Members, limits and errors: `docs/web/http-api.md`.
///
/// ```swift
/// let login = try FIDOLogin(body: body)
/// let username = try login.context().username
/// ```
public enum FIDOLogin: MessageBody {
    /// Only the name of the user.
    case user(UserName)
    /// A whole request, as at the other request services.
    case request(GetUAFRequest)

    /// The context that either form asks for.
    ///
    /// Throws ``BackendAPIError/unexpectedOperation`` or ``BackendAPIError/unreadableContext(path:)``.
    public func context() throws(BackendAPIError) -> AuthenticationContext {
        switch self {
        case .user(let name): AuthenticationContext(username: name)
        case .request(let request): try request.context()
        }
    }
}

extension FIDOLogin: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        if members["op"] == nil, members["context"] == nil {
            self = .user(
                try members.required("username") { value throws(JSONTypeError) in try value.asUserName() })
        } else {
            self = .request(try GetUAFRequest(json: json))
        }
    }

    var json: JSONValue {
        switch self {
        case .user(let name): .object(["username": .string(name.text)])
        case .request(let request): request.json
        }
    }
}
