/// A way into the server that takes a token, a cookie, the signature of a device, or the answer to something open.
enum RemovalRoute: String, CaseIterable, Sendable {
    case registerByToken, registerByCookie, registerByPassword, answerRegistration, answerAuthentication
    case dispatchRegistration, redeemOwnOperation, answerPortalOperation, statusByToken, listTargets, createTarget
    case readDevice, pendingOperations, modifyTarget
    // These take something away, and come last.
    case deleteTarget, deregister

    /// What the server says to it.
    enum Outcome: String, Sendable { case granted, refused }

    /// The blows after which the route still grants, and why.
    var survives: (after: Set<RemovalBlow>, because: String) {
        switch self {
        case .registerByToken, .registerByCookie, .answerRegistration, .dispatchRegistration, .redeemOwnOperation,
            .statusByToken, .listTargets, .createTarget, .deleteTarget, .deregister:
            ([.nothing], "it rests on a login by the key, and every blow ends that")
        case .registerByPassword:
            (
                [.deregister],
                "beside a key, also a disabled one, a password is too weak; without one its session is enough"
            )
        case .answerPortalOperation:
            ([.nothing], "an operation ends with the logins of its user, also one of a portal")
        case .answerAuthentication:
            (
                [.nothing, .changePassword, .endSessions],
                "the answer is a fresh proof by a key that is still registered, asked for by no login"
            )
        case .readDevice, .pendingOperations:
            (
                [.nothing, .lockUser, .disableKey, .removeKey, .changePassword, .endSessions],
                "the key of the device signs, and its record stays, so that the phone can find out what is gone"
            )
        case .modifyTarget:
            (
                [.nothing, .disableKey, .removeKey, .changePassword, .endSessions],
                "as for reading, but nothing of a locked user is changed"
            )
        }
    }
}
