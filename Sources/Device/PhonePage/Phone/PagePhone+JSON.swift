import Foundation
import MobileAuthentication
import StrictJSON

/// State of the phone as JSON; secrets are never in it.
extension PagePhone {
    var json: JSONValue {
        .object([
            "revision": .integer(Int64(clamping: revision)), "phone": phoneJSON, "accounts": accountsJSON,
            "pending": .array(pending.map(\.json)), "busy": .bool(isBusy), "lost": .bool(isLost),
            "question": question.map(\.json) ?? choiceJSON ?? .null, "notice": notice.map(\.json) ?? .null,
        ])
    }

    private var phoneJSON: JSONValue {
        .object([
            "name": .string(PhonePageText.name(ports.name)), "server": .string(ports.server),
            "folder": .string(ports.folder), "push": .bool(ports.pushToken != nil),
            "keyProtection": .string(client.deviceCapabilities.keyProtection.rawValue),
            "warning": client.deviceCapabilities.keyVaultWarning.map(JSONValue.string),
            "files": .array(
                ports.stored().prefix(200).map { file in
                    .object(["name": .string(file.name), "size": .integer(Int64(file.byteCount))])
                }),
        ])
    }

    private var accountsJSON: JSONValue {
        let authenticators = client.localData.authenticators
        return .array(
            client.localData.accounts.map { account in
                let keys = authenticators.filter { $0.registration.isRegistered(account.username) }
                return .object([
                    "username": .string(PhonePageText.name(account.username)),
                    "server": .string(account.server.baseUrl.absoluteString),
                    "keys": .array(
                        keys.map { key in
                            .object([
                                "kind": .string(PhonePageQuestion.kind(of: key.aaid)),
                                "usable": .bool(key.registration.isUsable(account.username)),
                            ])
                        }),
                ])
            })
    }

    private var choiceJSON: JSONValue? {
        accountChoice.map { choice in
            .object([
                "kind": .string("account"),
                "choices": .array(choice.names.map { .string(PhonePageText.name($0)) }),
            ])
        }
    }
}

extension PhonePageQuestion {
    /// Word for a kind of authenticator; its AAID where there is none.
    static func kind(of aaid: String) -> String {
        switch AuthenticatorAaid(rawValue: aaid) {
        case .Pin: "pin"
        case .Password: "password"
        case .Fingerprint: "fingerprint"
        case .FaceRecognition: "face"
        case .DevicePasscode: "passcode"
        case nil: aaid
        }
    }

    var json: JSONValue {
        var object = JSONObject(["number": .integer(Int64(clamping: number)), "consent": .bool(needsConsent)])
        for member in members.members { object.append(member.name, member.value) }
        if let attempts = Self.attempts(step), oldSecret == nil {
            let wait = coolDownEnd.map { max(0, Int64((ContinuousClock.now.duration(to: $0)).components.seconds) + 1) }
            object.append("attemptsLeft", .integer(Int64(attempts.left)))
            object.append("wait", .integer(max(0, wait ?? 0)))
        }
        return .object(object)
    }

    private var members: JSONObject {
        switch step {
        case .selectAccount(let context, _):
            JSONObject([
                "kind": .string("account"), "text": Self.text(context.transactionConfirmationData),
                "choices": .array(choices.map { .string(PhonePageText.name($0)) }),
            ])
        case .selectAuthenticator(let context, _):
            JSONObject([
                "kind": .string("authenticator"), "text": Self.text(context.transactionConfirmationData),
                "username": .string(PhonePageText.name(context.account.username)),
                "server": .string(context.account.server.baseUrl.absoluteString),
                "choices": .array(choices.map { .string(Self.kind(of: $0)) }),
            ])
        case .linkChannel(let context, _): Self.link(context)
        case .confirmDeregistration(let context, _):
            JSONObject([
                "kind": .string("deregistration"), "server": .string(context.server.baseUrl.absoluteString),
                "choices": .array(context.accounts.map { .string(PhonePageText.name($0.username)) }),
            ])
        default: secretMembers
        }
    }

    private static func link(_ context: any ChannelLinkingContext) -> JSONObject {
        JSONObject([
            "kind": .string(context.mode == .typed ? "digits" : "compare"),
            "text": text(context.transactionConfirmationData),
            "username": .string(PhonePageText.name(context.username)),
            "digitCount": .integer(Int64(context.digitCount)), "digits": context.digits.map(JSONValue.string),
            "error": context.lastRecoverableError?.errorDescription.map(JSONValue.string),
        ])
    }

    private var secretMembers: JSONObject {
        switch step {
        case .enrollPin(let context, _):
            Self.secret("newPin", context.username, context.lastRecoverableError?.errorDescription)
        case .enrollPassword(let context, _):
            Self.secret("newPassword", context.username, context.lastRecoverableError?.errorDescription)
        case .verifyPin: Self.secret("pin", nil, nil)
        case .verifyPassword: Self.secret("password", nil, nil)
        case .changePin(let context, _):
            Self.secret(
                oldSecret == nil ? "oldPin" : "newPin", context.username,
                context.lastRecoverableError?.errorDescription)
        case .changePassword(let context, _):
            Self.secret(
                oldSecret == nil ? "oldPassword" : "newPassword", context.username,
                context.lastRecoverableError?.errorDescription)
        case .verifyDevicePasscode: Self.secret("passcode", nil, nil)
        default: Self.secret("presence", nil, nil)
        }
    }

    private static func secret(_ kind: String, _ username: String?, _ error: String?) -> JSONObject {
        JSONObject([
            "kind": .string(kind), "username": username.map { .string(PhonePageText.name($0)) },
            "error": error.map { .string(PhonePageText.shown($0.utf8)) },
        ])
    }

    private static func text(_ octets: Data?) -> JSONValue? { octets.map { .string(PhonePageText.shown($0)) } }
}
