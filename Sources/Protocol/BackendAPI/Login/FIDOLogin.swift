public import UAF

/// The body of the identity suite's authentication request service (`backend-http-api` 1.7).
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
