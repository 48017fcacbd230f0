package import UAF

/// What came of a signed request of a device.
package enum DeviceResult: Sendable, Hashable {
    /// One account on the device.
    package struct Account: Sendable, Hashable {
        /// The user.
        package let user: User
        /// The target.
        package let target: DispatchTarget
        /// The credentials that belong to the target.
        package let credentials: [RegisteredCredential]
        /// The credentials of the user that belong to no target.
        package let unassigned: [CredentialID]

        /// Puts them together.
        package init(
            user: User, target: DispatchTarget, credentials: [RegisteredCredential], unassigned: [CredentialID] = []
        ) {
            self.user = user
            self.target = target
            self.credentials = credentials
            self.unassigned = unassigned
        }
    }

    /// It is done and durable.
    case done
    /// The accounts of the device.
    case accounts([Account])
    /// The operations that wait for the device, newest first.
    case operations([OutOfBandCeremony])
    /// The request came before.
    case replayed
    /// The target is gone, has another key, or belongs to another device.
    case targetGone
    /// The user is locked.
    case userInactive
    /// Another target of the user has the name.
    case nameInUse
    /// Something named is not there; nothing was changed.
    case notFound
}
