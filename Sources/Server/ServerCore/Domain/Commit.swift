package import UAF

/// Result of an outcome that was handed to ``UnitOfWork/commit(_:)``.
package enum CommitResult: Sendable, Hashable {
    /// Everything was written and is durable.
    case committed
    /// A precondition did not hold; the challenge is consumed unless the reason says otherwise.
    case refused(CommitRefusal)
}

/// Precondition of an outcome that did not hold.
package enum CommitRefusal: String, Error, Sendable, Hashable, CaseIterable {
    /// The challenge was consumed before; it stays so.
    case challengeUsed
    /// The challenge is so old that its consumption may have been forgotten; nothing was written.
    case challengeForgotten
    /// The user was locked or removed in the meantime.
    case userInactive
    /// The login on the strength of which the ceremony was begun does not hold any more, or logins of its time were
    /// ended.
    case loginEnded
    /// The credential was removed in the meantime.
    case credentialRemoved
    /// The credential was disabled in the meantime.
    case credentialDisabled
    /// Another answer has moved the counter of the credential past the one of this answer.
    case counterNotGreater
    /// The key is registered already.
    case credentialExists
    /// The user has as many credentials as are allowed.
    case tooManyCredentials
    /// The out-of-band ceremony has ended in the meantime: it took too long, or was called off.
    case operationEnded
    /// The user has typed other digits than those shown.
    case channelNotLinked
    /// The dispatch target that signed is gone, or has another key.
    case targetGone
    /// The signed request for the dispatch target came before.
    case requestReplayed
    /// The user has as many dispatch targets as are allowed.
    case tooManyTargets
    /// The key of App Attest was attested before: its statement was shown already.
    case attestedKeyExists
    /// Another response has moved the App Attest key's counter past this assertion, or the key is forgotten.
    case assertionReplayed

    /// Whether an answer came that was judged before; sending it again costs nothing, so it is only counted.
    package var isReplay: Bool { self == .challengeUsed || self == .challengeForgotten }

    package var concernsApplication: Bool { self == .attestedKeyExists || self == .assertionReplayed }

    package var statusCode: StatusCode {
        switch self {
        case .challengeUsed, .challengeForgotten, .operationEnded: .requestInvalid
        case .userInactive, .tooManyCredentials, .tooManyTargets: .forbidden
        case .loginEnded: .unauthorized
        case .credentialRemoved: .unknownKeyID
        case .credentialDisabled: .revokedAuthenticator
        case .counterNotGreater, .credentialExists, .channelNotLinked, .targetGone, .requestReplayed:
            .unacceptableContent
        case .attestedKeyExists, .assertionReplayed: .unacceptableAttestation
        }
    }
}
