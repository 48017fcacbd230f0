/// What a request brought along to show who sends it.
package enum RequestAuthorization: Sendable, Hashable {
    /// Nothing.
    case absent
    /// A token or cookie that does not hold: forged, expired, unknown, or of a user who is locked or deleted.
    case invalid
    /// A token or cookie that holds.
    case granted(Grant)

    /// What a valid token or cookie says.
    package struct Grant: Sendable, Hashable {
        /// The user who is logged in.
        package let user: User
        /// How the user logged in.
        package let methods: Set<AuthenticationMethod>

        /// States who is logged in and how.
        package init(user: User, methods: Set<AuthenticationMethod>) {
            self.user = user
            self.methods = methods
        }
    }
}
