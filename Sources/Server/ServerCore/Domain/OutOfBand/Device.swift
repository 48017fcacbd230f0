package import BackendAPI
package import JOSE
package import UAF

/// Effect that a signed request of a device asks for.
///
/// Everything it names is looked for among the targets with the same device id and the same signature key.
package enum DeviceEffect: Sendable, Hashable {
    /// Credentials to remove.
    package struct Removal: Sendable, Hashable {
        /// The user's name or external id.
        package let username: UserName
        /// The model; nil for all credentials of the user on this device.
        package let aaid: AAID?
        /// The key; nil for all of the model.
        package let keyID: KeyID?

        /// Names what to remove.
        package init(username: UserName, aaid: AAID? = nil, keyID: KeyID? = nil) {
            self.username = username
            self.aaid = aaid
            self.keyID = keyID
        }
    }

    /// Changes the target that signed.
    case change(TargetChange)
    /// Tells what the server knows of the device.
    case read(DeviceID)
    /// Tells which operations wait for the device.
    case pending(DeviceID)
    /// Removes credentials and targets: all of them, or nothing when one is not there.
    case remove(DeviceID, [Removal], targets: [DispatchTargetID])
    /// Removes all targets of the device with all their credentials.
    case removeDevice(DeviceID)

    /// Whether it does more than read.
    package var changesSomething: Bool {
        switch self {
        case .read, .pending: false
        case .change, .remove, .removeDevice: true
        }
    }
}

/// Result of a signed request of a device.
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

/// A public key that a device has given us; the same key is equal in every spelling.
package struct DeviceKey: Sendable, Hashable {
    /// The key.
    package let jwk: JWK
    /// Thumbprint by which the key is compared and found (RFC 7638).
    package let thumbprint: DeviceKeyThumbprint

    /// Takes a key.
    package init(_ jwk: JWK) {
        self.jwk = jwk
        guard let thumbprint = DeviceKeyThumbprint(stored: JWKThumbprint(of: jwk).octets) else {
            preconditionFailure("a thumbprint is a SHA-256 value")
        }
        self.thumbprint = thumbprint
    }

    /// Reads the JSON text as stored; nil when it is no public key that we use.
    package init?(stored text: String) {
        guard let jwk = try? JWK(json: Array(text.utf8)) else { return nil }
        self.init(jwk)
    }

    /// The JSON text to store.
    package var text: String { String(decoding: jwk.json, as: UTF8.self) }

    package static func == (one: DeviceKey, other: DeviceKey) -> Bool { one.thumbprint == other.thumbprint }

    package func hash(into hasher: inout Hasher) { hasher.combine(thumbprint) }
}

extension DeviceName {
    /// The name with a number behind it, shortened when it gets too long: what a second device of the name is called.
    package func numbered(_ number: Int) -> DeviceName {
        let suffix = " (\(number))"
        let kept = String.UnicodeScalarView(text.unicodeScalars.prefix(128 - suffix.unicodeScalars.count))
        return DeviceName(String(kept) + suffix) ?? self
    }
}

/// Report that a phone sends beside its response, with the context of its sender.
struct DeviceReport {
    /// Statements of the phone about itself and the operation.
    let context: ResponseContext
    /// Sender of the report, for the audit.
    let client: ClientContext
}
