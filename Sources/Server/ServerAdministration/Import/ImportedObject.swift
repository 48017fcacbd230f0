import BackendAPI
package import OpenID
package import ServerCore
import StrictJSON
package import UAF
import UAFService

/// Reason why an object of a file is not imported, or a file cannot be read, in words; values of the file are never in it.
package struct ImportFault: Error, Sendable, Hashable {
    package let words: String

    package init(_ words: String) { self.words = words }
}

/// One object of an import, checked as far as that needs no database.
package enum ImportedObject: Sendable {
    case user(ImportedUser)
    case device(ImportedDevice)
    case credential(ImportedCredential, user: UserName, device: DispatchTargetID?)
    case passkey(ImportedPasskey, user: UserName)
    /// A client, and whether it needs a secret that its file has not.
    case client(RegisteredClient, needsSecret: Bool)
}

/// User of another server.
package struct ImportedUser: Sendable {
    let name: UserName
    /// Nil: a new user gets a random one.
    let externalID: UserName?
    let status: User.Status
    let createdAt: Timestamp
    let changes: [UserAttributes.Name: JSONValue]
    let attributes: UserAttributes
    /// Identity and key of a new user.
    let id: UserID
    let auditKey: AuditSubjectKey
}

/// Phone of a user of another server, without its owner's identity here.
package struct ImportedDevice: Sendable {
    let user: UserName
    let id: DispatchTargetID
    let externalID: TargetExternalID
    let deviceID: DeviceID?
    let name: DeviceName
    let dispatcher: DispatcherName?
    let destination: PushDestination?
    let signatureKey: DeviceKey
    let encryptionKey: DeviceKey?
    let createdAt: Timestamp

    func target(of owner: UserID) -> DispatchTarget {
        DispatchTarget(
            id: id, externalID: externalID, userID: owner, deviceID: deviceID, name: name, dispatcher: dispatcher,
            destination: destination, signatureKey: signatureKey, encryptionKey: encryptionKey, createdAt: createdAt)
    }
}
