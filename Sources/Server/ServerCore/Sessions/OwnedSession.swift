/// A session with its owner, as it is looked up.
package struct OwnedSession: Sendable, Hashable {
    /// The session.
    package let session: Session
    /// The user who is logged in.
    package let user: User

    /// Pairs a session with its owner.
    package init(session: Session, user: User) {
        self.session = session
        self.user = user
    }
}
