import UAFClient

// swift-format-ignore: AlwaysUseLowerCamelCase
/// One thing in which this device and a server do not agree.
@nonexhaustive
public enum DeviceInformationMismatch: Sendable {
    /// The server has a credential of this device that is gone here.
    case MissingAuthenticatorInMobileDevice(keyId: String, aaid: String, server: any Server)
    /// The server does not know a credential that is here.
    case MissingAuthenticatorInServer(keyId: String, aaid: String, account: any Account)
    /// The server has a record of this device that is not known here.
    case MissingDeviceInformationInMobileDevice(dispatchTargetId: String, server: any Server)
    /// The server does not have a record that is known here.
    case MissingDeviceInformationInServer(idUsernamePair: DeviceInformation.IdUsernamePair, server: any Server)
    /// The server has another name for the device than it was given.
    case DeviceNameMismatch(nameInServer: String, nameInMobileDevice: String, server: any Server)
    /// The tokens for push messages differ; nil stands for none, or for push messages that were switched off.
    case FcmRegistrationTokenMismatch(
        fcmRegistrationTokenInServer: String?, fcmRegistrationTokenInMobileDevice: String?, server: any Server)
}

extension DeviceInformationMismatch {
    /// Action of ``DeviceInformationSync`` for a mismatch.
    @nonexhaustive
    public enum ProposedAction: String, Hashable, Sendable {
        /// The server forgets what only it has.
        case removeFromServer
        /// This device forgets what only it has.
        case removeFromMobileDevice
        /// The server takes over what this device has.
        case sendToServer
    }

    /// Action of ``DeviceInformationSync`` when it is given this mismatch.
    ///
    /// A record that only the server has is not removed when it belongs to an account of this device without one: then
    /// this device remembers it. To call the device as a server does, change its name with ``DeviceInformationChange``; the
    /// user chooses, seeing whose name it is.
    public var proposedAction: ProposedAction {
        switch self {
        case .MissingAuthenticatorInMobileDevice, .MissingDeviceInformationInMobileDevice: .removeFromServer
        case .MissingAuthenticatorInServer, .MissingDeviceInformationInServer: .removeFromMobileDevice
        case .DeviceNameMismatch, .FcmRegistrationTokenMismatch: .sendToServer
        }
    }

    /// Localized explanation of the mismatch and of the proposed action.
    public var explanation: String { text.localized }

    private var text: SDKText {
        switch self {
        case .MissingAuthenticatorInMobileDevice: .authenticatorOnlyAtServer
        case .MissingAuthenticatorInServer: .authenticatorOnlyHere
        case .MissingDeviceInformationInMobileDevice: .recordOnlyAtServer
        case .MissingDeviceInformationInServer: .recordOnlyHere
        case .DeviceNameMismatch: .namesDiffer
        case .FcmRegistrationTokenMismatch: .pushTokensDiffer
        }
    }

    /// The server that it is about.
    public var server: any Server {
        switch self {
        case .MissingAuthenticatorInMobileDevice(_, _, let server),
            .MissingDeviceInformationInMobileDevice(_, let server), .MissingDeviceInformationInServer(_, let server),
            .DeviceNameMismatch(_, _, let server), .FcmRegistrationTokenMismatch(_, _, let server):
            server
        case .MissingAuthenticatorInServer(_, _, let account): account.server
        }
    }
}

extension DeviceInformationMismatch: Hashable {
    /// Whether both say the same of the same server.
    public static func == (one: DeviceInformationMismatch, other: DeviceInformationMismatch) -> Bool {
        one.named == other.named
    }

    /// Feeds what it says to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(named) }
}

// MARK: - For the machines

extension DeviceInformationMismatch {
    init(_ mismatch: DeviceMismatch) {
        self =
            switch mismatch {
            case .credentialOnlyThere(let keyID, let aaid, let server):
                .MissingAuthenticatorInMobileDevice(
                    keyId: keyID, aaid: aaid, server: RegisteredServer(baseUrl: server.url))
            case .credentialOnlyHere(let keyID, let aaid, let username, let server):
                .MissingAuthenticatorInServer(
                    keyId: keyID, aaid: aaid,
                    account: RegisteredAccount(username: username, server: RegisteredServer(baseUrl: server.url)))
            case .recordOnlyThere(let identifier, let server):
                .MissingDeviceInformationInMobileDevice(
                    dispatchTargetId: identifier, server: RegisteredServer(baseUrl: server.url))
            case .recordOnlyHere(let link, let server):
                .MissingDeviceInformationInServer(
                    idUsernamePair: IdUsernamePair(identifier: link.identifier, username: link.username),
                    server: RegisteredServer(baseUrl: server.url))
            case .name(let there, let here, let server):
                .DeviceNameMismatch(
                    nameInServer: there, nameInMobileDevice: here, server: RegisteredServer(baseUrl: server.url))
            case .pushToken(let there, let here, let server):
                .FcmRegistrationTokenMismatch(
                    fcmRegistrationTokenInServer: there, fcmRegistrationTokenInMobileDevice: here,
                    server: RegisteredServer(baseUrl: server.url))
            }
    }

    /// The mismatch that a repair is planned for, byte by byte.
    var named: DeviceMismatch {
        let address = ServerAddress(server.baseUrl)
        return switch self {
        case .MissingAuthenticatorInMobileDevice(let keyID, let aaid, _):
            .credentialOnlyThere(keyID: keyID, aaid: aaid, address)
        case .MissingAuthenticatorInServer(let keyID, let aaid, let account):
            .credentialOnlyHere(keyID: keyID, aaid: aaid, username: account.username, address)
        case .MissingDeviceInformationInMobileDevice(let id, _): .recordOnlyThere(id, address)
        case .MissingDeviceInformationInServer(let pair, _):
            .recordOnlyHere(DeviceRecord.Link(identifier: pair.identifier, username: pair.username), address)
        case .DeviceNameMismatch(let there, let here, _): .name(there: there, here: here, address)
        case .FcmRegistrationTokenMismatch(let there, let here, _): .pushToken(there: there, here: here, address)
        }
    }
}

extension DeviceInformationMismatch: CustomStringConvertible {
    /// The name of the case; no token and no name of a user.
    public var description: String {
        switch self {
        case .MissingAuthenticatorInMobileDevice(_, let aaid, _): "MissingAuthenticatorInMobileDevice(\(aaid))"
        case .MissingAuthenticatorInServer(_, let aaid, _): "MissingAuthenticatorInServer(\(aaid))"
        case .MissingDeviceInformationInMobileDevice(let id, _): "MissingDeviceInformationInMobileDevice(\(id))"
        case .MissingDeviceInformationInServer(let pair, _): "MissingDeviceInformationInServer(\(pair.identifier))"
        case .DeviceNameMismatch(let there, let here, _):
            "DeviceNameMismatch(nameInServer: \(there), nameInMobileDevice: \(here))"
        case .FcmRegistrationTokenMismatch: "FcmRegistrationTokenMismatch"
        }
    }
}
