/// A dispatch target with its user, as both stood at one moment.
package struct OwnedTarget: Sendable, Hashable {
    package let target: DispatchTarget
    package let user: User

    package init(target: DispatchTarget, user: User) {
        self.target = target
        self.user = user
    }
}
