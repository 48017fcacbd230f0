extension AuditEvent.Kind {
    /// The event in words, without the names that its record has (docs/operate/audit.md).
    package var meaning: String { Self.meanings[self] ?? rawValue }

    private static let meanings: [AuditEvent.Kind: String] = [
        .registrationSucceeded: "a key was registered",
        .registrationFailed: "a registration was refused",
        .signedIn: "a user signed in",
        .authenticationFailed: "a sign-in was refused",
        .transactionSucceeded: "a user confirmed a text",
        .transactionFailed: "a confirmation was refused",
        .cloneSuspected: "a key was used whose counter went back: it may have been copied",
        .appAttested: "an application proved which one it is",
        .appAttestationFailed: "an application did not prove which one it is",
        .deregistration: "a phone removed its key",
        .refusalsCounted: "refusals of unsigned requests, counted over ten minutes",
        .codesCounted: "codes of sign-in pages, counted over ten minutes",
        .auditPruned: "old records were removed from this chain",
        .sessionEnded: "a user ended a session",
        .userAdded: "a user was added",
        .userRemoved: "a user was removed",
        .personErased: "a person was erased: what named them is gone",
        .userLocked: "a user was locked",
        .userUnlocked: "a user was unlocked",
        .attributesChanged: "attributes of a user were changed",
        .passwordSet: "a password was set",
        .loginsEnded: "all logins of a user were ended",
        .credentialDisabled: "a key was disabled",
        .credentialEnabled: "a key was enabled",
        .credentialRemoved: "an administrator removed a key",
        .deviceRemoved: "an administrator removed a phone",
        .imported: "users, phones, keys or web sites of another server were imported",
        .keysRotated: "the server's keys were replaced by new ones",
        .keysReplaced: "the master key was replaced",
        .tokenCreated: "an operation for a phone was begun",
        .tokenDispatched: "an operation was begun and sent to a phone",
        .dispatchFailed: "a message to a phone could not be delivered",
        .dispatchRefused: "an operation was not begun: the user may not be asked now",
        .tokenRedeemed: "a phone took an operation up",
        .redeemRefused: "a phone was not given an operation",
        .tokenTimedOut: "no phone took an operation up in time",
        .operationTimedOut: "a phone did not answer in time",
        .operationSuperseded: "a later operation took the place of this one",
        .operationCancelled: "an operation was called off",
        .operationReported: "a user reported that they had not asked",
        .channelNotLinked: "a user gave digits that were not those on the screen",
        .userThrottled: "wrong digits or reports were too many: the user is not asked again for a while",
        .targetCreated: "a phone was added",
        .targetModified: "a phone changed its name or push token",
        .targetDeleted: "a phone was removed",
        .deviceModified: "a phone changed what the server knows of it",
        .deviceDeleted: "a phone removed itself",
        .deviceRequestMisdirected: "a phone sent a request that was for another server",
        .deviceRequestClockSkew: "a phone sent a request with a wrong time",
        .deviceRequestMalformed: "a phone sent a request that cannot be read",
        .targetRenamedByAdministrator: "an administrator renamed a phone",
        .pushUnsetByAdministrator: "an administrator ended messages to a phone",
        .clientAdded: "a web site was added",
        .clientChanged: "settings of a web site were changed",
        .clientRemoved: "a web site was removed",
        .clientGrantIssued: "a web site received a code or tokens",
        .clientGrantEnded: "tokens of a web site were ended",
        .clientGrantReplayed: "a code or token was used twice: all tokens of the web site for this sign-in were ended",
        .weakerMethodRefused: "a sign-in was refused: the account has a stronger method",
        .providerSessionEnded: "a user signed out in a browser",
        .passkeyRegistered: "a user added a passkey",
        .passkeyRenamed: "a user renamed a passkey",
        .passkeyRemoved: "a user removed a passkey",
        .passkeyRefused: "an answer of a passkey was refused; the reason has the step of Web Authentication Level 3",
        .passkeyRemovedByAdministrator: "an administrator removed a passkey",
        .recoveryCodesMade: "a user made recovery codes",
        .recoveryBegun: "a way back without a phone was begun: the wait began",
        .recoveryInvited: "a code for a new phone was shown after the wait of a recovery",
        .recoveryEnded: "a user ended a recovery: it was begun by another person",
        .outgoingMessageGivenUp: "a message to another system was given up",
        .outgoingMessageRetried: "an administrator had a message tried again, or dropped it",
    ]
}

extension AuditEvent.SignInChannel {
    /// Follows "a user signed in".
    package var words: String {
        switch self {
        case .application: "in an application"
        case .code: "with a phone, by code or link"
        case .push: "with a phone, by message"
        case .backchannel: "with a phone, asked by a web site (CIBA)"
        case .session: "by the session of the browser"
        case .passkey: "with a passkey"
        case .password: "with a password"
        }
    }
}
