package import BackendAPI
package import Octets
package import ServerCore
package import StrictJSON

/// Passkeys of users at the sign-in page and on the page of their devices.
package protocol PasskeyService: Sendable {
    /// Options of a sign-in, for `navigator.credentials.get()` of its page (PublicKeyCredentialRequestOptionsJSON).
    ///
    /// Without a name any passkey of this provider may answer. With a name, of 1 to 128 characters as typed, the passkeys
    /// of this user: for a name without passkeys, or without a user, it names one that does not exist, always the same.
    func signInOptions(
        of session: OpenSignIn, username: String?
    ) async throws(ServerError) -> JSONObject

    /// Judges the answer of the browser (AuthenticationResponseJSON, at most 64 KiB), and ends the session when it is good.
    ///
    /// A refusal leaves the session open: the person may try again, or take the phone.
    func signIn(
        _ session: OpenSignIn, with answer: Sensitive<[UInt8]>, client: ClientContext
    ) async throws(ServerError) -> PasskeySignIn

    /// Passkeys of a user, oldest first.
    func passkeys(of user: UserID) async throws(ServerError) -> [Passkey]

    /// Options for `navigator.credentials.create()` of the page of the devices (PublicKeyCredentialCreationOptionsJSON);
    /// nil when the sign-in of the browser is too old or too weak for a passkey.
    func registrationOptions(of session: BrowserSession) async throws(ServerError) -> JSONObject?

    /// Registers the passkey of an answer (RegistrationResponseJSON, at most 64 KiB) under a name.
    func register(
        _ answer: Sensitive<[UInt8]>, named name: DeviceName, by session: BrowserSession, client: ClientContext
    ) async throws(ServerError) -> PasskeyChange

    func rename(
        _ passkey: RegistrationID, to name: DeviceName, by session: BrowserSession, client: ClientContext
    ) async throws(ServerError) -> PasskeyChange

    /// Removes a passkey; what it has let in ends with it.
    func remove(
        _ passkey: RegistrationID, by session: BrowserSession, client: ClientContext
    ) async throws(ServerError) -> PasskeyChange
}

/// End of a try to sign in with a passkey.
package enum PasskeySignIn: Sendable {
    /// The answer that the browser carries to the client.
    case answered(AuthorizationAnswer)
    case refused(PasskeySignInRefusal)
}

/// Reason that a person is told for a passkey that does not let them in.
package enum PasskeySignInRefusal: String, Sendable, Hashable, CaseIterable {
    /// The passkey is unknown, removed, or its answer does not hold; the log has the step of the standard.
    case unusable
    /// The account has a stronger method, which alone lets in until it has been away for a while.
    case weakerThanRegistered
    /// The client, or the text to confirm, asks for a phone.
    case weakerThanAsked
}

/// End of a change to the passkeys of a user.
package enum PasskeyChange: Sendable, Hashable {
    case done
    /// The passkey is not the user's.
    case unknown
    /// The sign-in of the browser is too old or too weak.
    case confirmFirst
    /// The answer of the authenticator does not hold, or its kind of passkey is not taken.
    case unusable
    /// The user has as many as one may have.
    case tooMany
}
