/// A session with its owner, as it is looked up.
package struct OwnedSession: Sendable, Hashable {
    package let session: Session
    package let user: User

    package init(session: Session, user: User) {
        self.session = session
        self.user = user
    }
}
