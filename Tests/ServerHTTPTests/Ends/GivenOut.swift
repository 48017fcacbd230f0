import OpenID
import ServerCore

/// Kind of thing that the server gives out, by which its holder may do something later.
enum GivenOut: String, CaseIterable, Sendable {
    case sessionCookie, passwordCookie, registrationChallenge, authenticationChallenge
    case userOperation, invitation, portalOperation, operationStatus
    case providerCookie, confirmedPage, pushedRequest, code, accessToken, refreshToken, backchannelRequest
    case keptAnswer, backendToken, foreignToken, resultToken, statusToken, idToken

    /// What becomes of it after a blow.
    enum Fate: Sendable {
        case holds, ends
        /// The blow has nothing to do with it, or there is nothing to log out of.
        case untouched
    }

    /// The table; what survives by design has its reason beside it.
    func fate(after blow: Blow) -> Fate {
        switch self {
        case .sessionCookie, .providerCookie:
            switch blow.reach {
            case .nothing: .holds
            // The session of a browser is no client's.
            case .client(let isBack): self == .sessionCookie ? .untouched : isBack ? .holds : .ends
            case .logins, .key, .logout, .server: .ends
            }
        case .passwordCookie:
            switch blow.reach {
            // It was not made with the key.
            case .nothing, .key: .holds
            case .client: .untouched
            case .logins, .logout, .server: .ends
            }
        case .registrationChallenge, .userOperation, .backendToken:
            switch blow.reach {
            case .nothing: .holds
            case .client, .logout: .untouched
            case .logins, .key, .server: .ends
            }
        case .operationStatus, .resultToken, .statusToken:
            switch blow.reach {
            case .nothing: .holds
            case .client, .logout: .untouched
            case .logins, .key, .server: .ends
            }
        case .authenticationChallenge: answered(after: blow)
        case .portalOperation:
            switch blow.reach {
            case .logins: .ends
            case .nothing, .key, .logout, .client, .server: answered(after: blow)
            }
        case .invitation:
            switch blow.reach {
            // The user has changed phones, and goes on with the new one.
            case .key where blow == .deregistered: .holds
            case .nothing: .holds
            case .client, .logout: .untouched
            case .logins, .key, .server: .ends
            }
        case .confirmedPage, .backchannelRequest:
            switch blow.reach {
            case .nothing: .holds
            case .logout: .untouched
            case .logins, .key, .client, .server: .ends
            }
        case .code, .accessToken:
            switch blow.reach {
            case .nothing: .holds
            case .logins, .key, .logout, .client, .server: .ends
            }
        case .refreshToken:
            switch blow.reach {
            // For use without the user (Back-Channel Logout 1.0, 2.7).
            case .nothing, .logout: .holds
            case .logins, .key, .client, .server: .ends
            }
        case .pushedRequest:
            switch blow.reach {
            case .nothing: .holds
            case .logins, .key, .logout: .untouched
            case .client, .server: .ends
            }
        case .keptAnswer:
            switch blow.reach {
            // It is the same answer; the link in it is an invitation.
            case .nothing, .logins, .key: .holds
            case .logout, .client: .untouched
            case .server: .ends
            }
        case .foreignToken:
            switch blow.reach {
            // Another issuer signs it, and no key of the user is behind it.
            case .nothing, .key, .server: .holds
            case .logout, .client: .untouched
            case .logins: .ends
            }
        case .idToken:
            switch blow.reach {
            case .client(let isBack): isBack ? .holds : .ends
            case .nothing, .logout: .holds
            case .server: .ends
            // It names a user, whom a phone confirms.
            case .logins, .key: blow.leavesPhone ? .holds : .ends
            }
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
        case .keysReplaced, .restored: .server
        }
    }

    /// Whether the user of before has a phone afterwards that may answer.
    var leavesPhone: Bool {
        switch self {
        case .nothing, .unlocked, .enabledAgain, .passwordChanged, .sessionsEnded, .loggedOut, .clientDisabled,
            .clientEnabledAgain, .keysReplaced, .restored:
            true
        case .locked, .removed, .addedAgain, .credentialRemoved, .deviceRemoved, .deregistered, .disabled: false
        }
    }
}

/// Secrets of the server by what they make; a new purpose does not compile until it is here.
extension KeyPurpose {
    /// Kinds that the key seals, signs or makes. TLS tickets and attestation credentials name no user.
    var givenOut: [GivenOut] {
        switch self {
        case .serverData: [.registrationChallenge, .authenticationChallenge, .refreshToken]
        case .tokenSigning: [.backendToken, .resultToken, .statusToken]
        case .idToken, .idTokenRSA: [.idToken]
        case .decoy: [.keptAnswer]
        // A receipt is evidence, and gives no right.
        case .receiptSigning: []
        }
    }
}
