import Crypto
import Octets
package import StrictJSON
package import UAF

/// Event that a person may have to account for.
///
/// It never holds tokens, challenges, keys or passwords; a KeyID stands as its hash.
package struct AuditEvent: Sendable, Hashable {
    /// Kind of event; the raw value is the name in the log.
    ///
    /// A record keeps the text that it was written with, and the server never reads it back as a kind: a name may
    /// change, and older records keep theirs.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case registrationSucceeded = "REGISTRATION_SUCCEEDED"
        case registrationFailed = "REGISTRATION_FAILED"
        /// A user has proved who they are; ``AuditEvent/channel`` says how, ``AuditEvent/initiator`` for which site.
        case signedIn = "SIGNED_IN"
        case authenticationFailed = "AUTHENTICATION_FAILED"
        case transactionSucceeded = "TRANSACTION_SUCCEEDED"
        case transactionFailed = "TRANSACTION_FAILED"
        case cloneSuspected = "CLONE_SUSPECTED"
        case appAttested = "APP_ATTESTED"
        case appAttestationFailed = "APP_ATTESTATION_FAILED"
        case deregistration = "DEREGISTRATION"
        case refusalsCounted = "REFUSALS_COUNTED"
        case codesCounted = "CODES_COUNTED"
        case auditPruned = "ADMIN_AUDIT_PRUNED"
        case sessionEnded = "SESSION_ENDED"
        case userAdded = "ADMIN_USER_ADDED"
        case userRemoved = "ADMIN_USER_REMOVED"
        case personErased = "ADMIN_PERSON_ERASED"
        case userLocked = "ADMIN_USER_LOCKED"
        case userUnlocked = "ADMIN_USER_UNLOCKED"
        case attributesChanged = "ADMIN_USER_ATTRIBUTES_CHANGED"
        case passwordSet = "ADMIN_PASSWORD_SET"
        case loginsEnded = "ADMIN_SESSIONS_ENDED"
        case credentialDisabled = "ADMIN_CREDENTIAL_DISABLED"
        case credentialEnabled = "ADMIN_CREDENTIAL_ENABLED"
        case credentialRemoved = "ADMIN_CREDENTIAL_REMOVED"
        case deviceRemoved = "ADMIN_DEVICE_REMOVED"
        case imported = "ADMIN_IMPORTED"
        case keysRotated = "ADMIN_KEYS_ROTATED"
        case keysReplaced = "ADMIN_KEYS_REPLACED"
        case tokenCreated = "TOKEN_CREATED"
        case tokenDispatched = "TOKEN_DISPATCHED"
        case dispatchFailed = "DISPATCH_FAILED"
        case dispatchRefused = "DISPATCH_REFUSED"
        case tokenRedeemed = "TOKEN_REDEEMED"
        case redeemRefused = "TOKEN_REDEEM_REFUSED"
        case tokenTimedOut = "TOKEN_TIMED_OUT"
        case operationTimedOut = "OPERATION_TIMED_OUT"
        case operationSuperseded = "OPERATION_SUPERSEDED"
        case operationCancelled = "OPERATION_CANCELLED"
        case operationReported = "OPERATION_REPORTED"
        case channelNotLinked = "CHANNEL_NOT_LINKED"
        case userThrottled = "USER_THROTTLED"
        case targetCreated = "DISPATCH_TARGET_CREATED"
        case targetModified = "DISPATCH_TARGET_MODIFIED"
        case targetDeleted = "DISPATCH_TARGET_DELETED"
        case deviceModified = "DEVICE_MODIFIED"
        case deviceDeleted = "DEVICE_DELETED"
        case deviceRequestMisdirected = "DEVICE_REQUEST_MISDIRECTED"
        case deviceRequestClockSkew = "DEVICE_REQUEST_CLOCK_SKEW"
        case deviceRequestMalformed = "DEVICE_REQUEST_MALFORMED"
        case targetRenamedByAdministrator = "ADMIN_DISPATCH_TARGET_RENAMED"
        case pushUnsetByAdministrator = "ADMIN_PUSH_UNSET"
        case clientAdded = "ADMIN_CLIENT_ADDED"
        case clientChanged = "ADMIN_CLIENT_CHANGED"
        case clientRemoved = "ADMIN_CLIENT_REMOVED"
        case clientGrantIssued = "CLIENT_GRANT_ISSUED"
        case clientGrantEnded = "CLIENT_GRANT_ENDED"
        case clientGrantReplayed = "CLIENT_GRANT_REPLAYED"
        /// A method of sign-in was refused for a stronger one of the account, whose name is the reason.
        case weakerMethodRefused = "WEAKER_METHOD_REFUSED"
        case providerSessionEnded = "PROVIDER_SESSION_ENDED"
        case passkeyRegistered = "PASSKEY_REGISTERED"
        case passkeyRenamed = "PASSKEY_RENAMED"
        case passkeyRemoved = "PASSKEY_REMOVED"
        case passkeyRefused = "PASSKEY_REFUSED"
        case passkeyRemovedByAdministrator = "ADMIN_PASSKEY_REMOVED"
        case recoveryCodesMade = "RECOVERY_CODES_MADE"
        case recoveryBegun = "RECOVERY_BEGUN"
        case recoveryInvited = "RECOVERY_INVITED"
        case recoveryEnded = "RECOVERY_ENDED"
        case outgoingMessageGivenUp = "OUTGOING_MESSAGE_GIVEN_UP"
        case outgoingMessageRetried = "ADMIN_OUTGOING_MESSAGE_RETRIED"
    }

    /// Way in which a user has signed in; the raw value is its name in the audit.
    package enum SignInChannel: String, Sendable, Hashable, CaseIterable {
        /// In an application, with the authenticator of its own phone.
        case application = "app"
        /// With a phone that has scanned a code or opened a link.
        case code
        /// With a phone that was sent a message.
        case push
        /// With a phone, asked by a web site without a page (CIBA).
        case backchannel = "ciba"
        /// At a further web site, by the session that the browser has already.
        case session
        case passkey
        case password

        /// Whether a key of the user has signed.
        package var isSigned: Bool {
            switch self {
            case .application, .code, .push, .backchannel, .passkey: true
            case .session, .password: false
            }
        }
    }

    /// Change of one setting; a secret stands in it as the word for its kind.
    package struct SettingChange: Sendable, Hashable {
        package let setting: String
        /// Value before and after; nil where there is none.
        package let from: JSONValue?
        package let to: JSONValue?

        package init(_ setting: String, from: JSONValue?, to: JSONValue?) {
            (self.setting, self.from, self.to) = (setting, from, to)
        }

        var json: JSONValue { .object(["setting": .string(setting), "from": from, "to": to]) }
    }

    package var kind: Kind
    package var at: Timestamp
    /// User whom the event is about; set with the names by ``about(_:)-(User)``.
    package private(set) var userID: UserID?
    /// The name in use at the time.
    package private(set) var username: UserName?
    /// Name by which other systems know the user, for those that hear of the event when the account is gone.
    package private(set) var externalID: UserName?
    /// Key of the user, which seals what names them; nil where only the identity is known.
    private var key: AuditSubjectKey?
    /// The ceremony, `sid` of its tokens.
    package var ceremonyID: CeremonyID?
    package var credential: CredentialID?
    package var passkey: RegistrationID?
    package var targetID: DispatchTargetID?
    /// Name by which other systems know the target.
    package var authenticator: TargetExternalID?
    package var statusCode: StatusCode?
    /// The reason behind the status code, from a fixed list of words; or the codes a device has reported.
    package var reason: String?
    package var transaction: TransactionHash?
    /// Way of a sign-in; nil in other events.
    package var channel: SignInChannel?
    /// The system or user who asked for what happened; nil where nothing was asked for, and inside an application.
    package var initiator: Initiator?
    /// Client of the OpenID Provider that was added, changed or removed.
    package var clientID: ClientID?
    /// Settings of it that were changed.
    package var changes: [SettingChange] = []
    package var client: ClientContext
    /// Operator who ran the command behind the event; nil for what a server does.
    package var actor: AuditActor?
    /// Request of an administrator behind the event; nil for what none has asked for.
    package var act: AdministrativeAct?

    package init(_ kind: Kind, at time: Timestamp, userID: UserID? = nil, client: ClientContext = ClientContext()) {
        self.kind = kind
        at = time
        self.userID = userID
        self.client = client
    }
}

extension AuditEvent {
    /// The event with the user it is about, by the names of then.
    package func about(_ user: User) -> AuditEvent {
        var event = self
        (event.userID, event.username, event.externalID) = (user.id, user.name, user.externalID)
        event.key = user.auditKey
        return event
    }

    /// The event with the user it is about, when only the identity is known; nil leaves it as it is.
    package func about(_ user: UserID?) -> AuditEvent {
        guard let user, user != userID else { return self }
        var event = self
        (event.userID, event.username, event.externalID, event.key) = (user, nil, nil, nil)
        return event
    }

    /// User whose key the event needs before it is written: it has members that name them, and no key.
    package var userWithoutKey: UserID? { key == nil && !personal.members.isEmpty ? userID : nil }

    /// The event with the key of its user; without one it is written without the members that name the user.
    package func sealed(with key: AuditSubjectKey?) -> AuditEvent {
        var event = self
        event.key = key
        return event
    }

    /// The event with the device it is about.
    package func about(_ target: DispatchTarget) -> AuditEvent {
        var event = self
        (event.targetID, event.authenticator) = (target.id, target.externalID)
        return event
    }

    /// The record of the audit when a precondition did not hold: the failure that belongs to the success.
    package func refused(_ refusal: CommitRefusal) -> AuditEvent {
        var event = self
        event.kind =
            switch refusal {
            case _ where refusal.concernsApplication: .appAttestationFailed
            // Two holders of one key, wherever the counter was compared.
            case .counterNotGreater: .cloneSuspected
            default: kind.failure
            }
        event.statusCode = refusal.statusCode
        event.reason = refusal.rawValue
        return event
    }
}

extension AuditEvent.Kind {
    package var failure: AuditEvent.Kind {
        switch self {
        case .registrationSucceeded: .registrationFailed
        case .signedIn: .authenticationFailed
        case .transactionSucceeded: .transactionFailed
        default: self
        }
    }
}

extension AuditEvent {
    /// Longest text taken from outside, in Unicode scalar values; the rest is cut off.
    private static let scalarLimit = 256

    /// The event as one line of JSON; control characters are escaped, so no text from outside can forge a line.
    ///
    /// What names a person is in the member `sealed` of an event about a user: AES-256-GCM under the key of that user
    /// (nonce, ciphertext, tag; base64url). An event about no user has these members as they are.
    package var json: [UInt8] {
        var members: JSONObject = [
            "ts": .string(at.iso8601),
            "event": .string(kind.rawValue),
            "userId": userID.map { .string($0.text) },
            "sessionId": ceremonyID.map { .string($0.text) },
            "aaid": credential.map { .string($0.aaid.text) },
            "keyIdHash": credential.map { .string(Base64URL.encode(SHA256.hash(data: $0.keyID.octets).octets)) },
            "passkeyId": passkey.map { .string($0.text) },
            "dispatchTargetId": targetID.map { .string($0.text) },
            "authenticatorId": authenticator.map { .string($0.text) },
            "uafStatusCode": statusCode.map { .integer($0.rawValue) },
            "reason": reason.map { .string($0) },
            "channel": channel.map { .string($0.rawValue) },
            "initiator": initiator.map { .string($0.text) },
            "clientId": clientID.map { .string($0.text) },
            "changes": changes.isEmpty ? nil : .array(changes.map(\.json)),
            "txnHash": transaction.map { .string(Base64URL.encode($0.octets)) },
            "actor": act?.json ?? actor.map { .object($0.members) },
            "traceId": Self.clipped(client.traceID),
        ]
        if userID == nil {
            members = JSONObject(distinct: members.members + personal.members)
        } else if let sealed {
            members.append(AuditEntry.sealedMember, .string(Base64URL.encode(sealed)))
        }
        return JSONWriter.write(.object(members), escapesMarkup: true)
    }

    /// Members that name a person, tell where they were, or are words of an operator about them.
    private var personal: JSONObject {
        [
            "username": username.map { .string($0.text) },
            "externalId": externalID.map { .string($0.text) },
            "clientIp": Self.clipped(client.address),
            "userAgent": Self.clipped(client.userAgent),
            "note": act?.reason.map { .string($0) },
        ]
    }

    private var sealed: [UInt8]? {
        guard let key, let userID else { return nil }
        let personal = personal
        guard !personal.members.isEmpty else { return nil }
        let place = AuditPlace(userID: userID, kind: kind.rawValue, at: at)
        return key.seal(personal, of: place, random: SystemRandomSource())
    }

    static func clipped(_ text: String?) -> JSONValue? {
        guard let text else { return nil }
        // As many bytes are no more scalar values.
        if text.utf8.count <= scalarLimit { return .string(text) }
        return .string(String(String.UnicodeScalarView(text.unicodeScalars.prefix(scalarLimit))))
    }
}
