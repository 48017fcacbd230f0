/// The door through which an authentication is asked for.
package enum AuthenticationEntry: Sendable, Hashable {
    /// The UAF request service: the answer may come over any connection.
    case service
    /// The login of the identity suite (`/auth/fidouaf`): the answer must bring the cookie set with the request.
    case login
}
