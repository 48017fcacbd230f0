import OpenID
import ServerCore

/// Kind of thing that the server gives out, by which its holder may do something later.
enum GivenOut: String, CaseIterable, Sendable {
    case sessionCookie, passwordCookie, registrationChallenge, authenticationChallenge
    case userOperation, invitation, portalOperation, operationStatus
    case providerCookie, confirmedPage, pushedRequest, code, accessToken, refreshToken, backchannelRequest
    case keptAnswer, backendToken, foreignToken, resultToken, statusToken, intentToken, idToken, recoveryCookie
    /// Page whose challenge a passkey has answered, registration of a passkey that is answered, session that a passkey has begun.
    case passkeyChallenge, passkeyOffer, passkeyCookie

    /// What becomes of it after a blow.
    enum Fate: Sendable {
        case holds, ends
        /// The blow has nothing to do with it, or there is nothing to log out of.
        case untouched
    }

    /// The table; what survives by design has its reason beside it.
    func fate(after blow: Blow) -> Fate {
        switch self {
        case .sessionCookie, .passwordCookie, .backendToken, .foreignToken, .registrationChallenge, .userOperation:
            login(after: blow)
        case .authenticationChallenge: answered(after: blow)
        case .invitation, .portalOperation, .operationStatus, .resultToken, .statusToken, .intentToken,
            .keptAnswer:
            askedBySystem(after: blow)
        case .providerCookie, .confirmedPage, .pushedRequest, .code, .accessToken, .refreshToken, .backchannelRequest,
            .idToken:
            givenToClient(after: blow)
        case .passkeyChallenge, .passkeyOffer, .passkeyCookie: ofPasskey(after: blow)
        case .recoveryCookie:
            switch blow.reach {
            // It is for users whose keys are gone.
            case .nothing, .key: .holds
            case .logins, .server: .ends
            case .client, .logout: .untouched
            }
        }
    }

    /// Whether a client has taken part in the login by which it was given.
    var isLoginAtClient: Bool {
        [.providerCookie, .code, .accessToken, .refreshToken, .idToken, .passkeyOffer, .passkeyCookie].contains(self)
    }

    /// Fate of a login, and of what was begun with one.
    private func login(after blow: Blow) -> Fate {
        switch blow.reach {
        case .nothing: .holds
        case .logins: .ends
        // No key is behind a password, or behind another issuer's token.
        case .key: [.passwordCookie, .foreignToken].contains(self) ? .holds : .ends
        case .logout: [.sessionCookie, .passwordCookie].contains(self) ? .ends : .untouched
        case .client: .untouched
        // Another issuer signs it.
        case .server: self == .foreignToken ? .holds : .ends
        }
    }

    /// Fate of what a system with an access key has asked for.
    private func askedBySystem(after blow: Blow) -> Fate {
        switch blow.reach {
        case .nothing: .holds
        // The answer is the same again; the link in it is an invitation.
        case .logins where self == .keptAnswer, .key where self == .keptAnswer: .holds
        // The user has changed phones, and goes on with the new one.
        case .key where self == .invitation && blow == .deregistered: .holds
        case .key where [.portalOperation, .intentToken].contains(self): answered(after: blow)
        case .client, .logout: .untouched
        case .logins, .key, .server: .ends
        }
    }

    /// Fate of what a browser or client holds.
    private func givenToClient(after blow: Blow) -> Fate {
        switch blow.reach {
        case .nothing: .holds
        case .logins where self == .pushedRequest, .key where self == .pushedRequest: .untouched
        // It names a user, whom a phone confirms.
        case .logins where self == .idToken, .key where self == .idToken: blow.leavesPhone ? .holds : .ends
        case .logout where [.confirmedPage, .pushedRequest, .backchannelRequest].contains(self): .untouched
        // For use without the user (Back-Channel Logout 1.0, 2.7).
        case .logout where [.refreshToken, .idToken].contains(self): .holds
        // The session of a browser is no client's.
        case .client(let isBack) where [.providerCookie, .idToken].contains(self): isBack ? .holds : .ends
        case .logins, .key, .logout, .client, .server: .ends
        }
    }

    /// Fate of what the holder of a passkey has, who has no phone.
    private func ofPasskey(after blow: Blow) -> Fate {
        switch blow.reach {
        // A passkey is on no device that the server knows, and is never switched off.
        case .logins where blow == .deviceRemoved, .key where blow != .deregistered: .untouched
        case .nothing: .holds
        // A new signature lets in anew.
        case .logins where self == .passkeyChallenge, .key where self == .passkeyChallenge:
            blow.leavesPhone ? .holds : .ends
        case .logout where self == .passkeyChallenge, .client where self == .passkeyOffer: .untouched
        // The session of a browser is no client's.
        case .client(let isBack) where self == .passkeyCookie: isBack ? .holds : .ends
        case .logins, .key, .logout, .client, .server: .ends
        }
    }

    /// Fate of what a phone answers with a new signature.
    private func answered(after blow: Blow) -> Fate {
        switch blow.reach {
        case .nothing: .holds
        case .client, .logout: .untouched
        case .server: .ends
        case .logins, .key: blow.leavesPhone ? .holds : .ends
        }
    }
}

/// What an administrator, a user or a client does, or what befalls the server.
enum Blow: String, CaseIterable, Sendable {
    case nothing
    case locked, unlocked, removed, addedAgain, credentialRemoved, deviceRemoved, deregistered, disabled, enabledAgain
    case passwordChanged, sessionsEnded, loggedOut, clientDisabled, clientEnabledAgain, keysReplaced, restored
    /// All keys are replaced beside the transactions that have given things out, so that no statement deletes their rows.
    case keysReplacedBeside

    /// What it reaches.
    enum Reach: Sendable {
        case nothing
        /// All logins of the user.
        case logins
        /// The key of the user's phone.
        case key
        /// One session of the user.
        case logout
        /// The client, which may be back.
        case client(isBack: Bool)
        /// Everything that was given out.
        case server
    }

    var reach: Reach {
        switch self {
        case .nothing: .nothing
        case .locked, .unlocked, .removed, .addedAgain, .credentialRemoved, .deviceRemoved, .passwordChanged,
            .sessionsEnded:
            .logins
        case .deregistered, .disabled, .enabledAgain: .key
        case .loggedOut: .logout
        case .clientDisabled: .client(isBack: false)
        case .clientEnabledAgain: .client(isBack: true)
        case .keysReplaced, .keysReplacedBeside, .restored: .server
        }
    }

    /// Whether clients are told that the login has ended (OpenID Connect Back-Channel Logout 1.0).
    ///
    /// A client that is disabled is no relying party any more; the session of the user goes on.
    var isTold: Bool {
        switch reach {
        case .nothing, .client: false
        case .logins, .key, .logout, .server: true
        }
    }

    /// Whether the user of before has a phone, or a passkey, afterwards that may answer.
    var leavesPhone: Bool {
        switch self {
        case .nothing, .unlocked, .enabledAgain, .passwordChanged, .sessionsEnded, .loggedOut, .clientDisabled,
            .clientEnabledAgain, .keysReplaced, .keysReplacedBeside, .restored:
            true
        case .locked, .removed, .addedAgain, .credentialRemoved, .deviceRemoved, .deregistered, .disabled: false
        }
    }
}

/// Secrets of the server by what they make; a new purpose does not compile until it is here.
extension KeyPurpose {
    /// Kinds that the key seals, signs or makes; TLS tickets and attestation credentials name no user.
    var givenOut: [GivenOut] {
        switch self {
        case .serverData: [.registrationChallenge, .authenticationChallenge, .refreshToken]
        case .tokenSigning: [.backendToken, .resultToken, .statusToken, .intentToken]
        case .idToken, .idTokenRSA: [.idToken]
        case .decoy: [.keptAnswer, .passkeyChallenge]
        // Receipts and records of the audit are evidence, and give no right.
        case .receiptSigning, .audit: []
        }
    }
}
