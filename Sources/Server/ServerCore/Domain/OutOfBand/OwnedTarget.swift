/// A dispatch target with its user, as both stood at one moment.
package struct OwnedTarget: Sendable, Hashable {
    /// The target.
    package let target: DispatchTarget
    /// The user it belongs to.
    package let user: User

    /// Creates a target with its owner.
    package init(target: DispatchTarget, user: User) {
        self.target = target
        self.user = user
    }
}
