import Octets

/// A change of what this device remembers of itself.
package enum DeviceRecordChange: Hashable, Sendable {
    case name(String)
    /// Another push token, or none.
    case pushToken(String?)
    /// A server has a record for a user; it replaces another one of that user.
    case remember(DeviceInformation.IdUsernamePair)
    /// The server of that user has no record of that identifier.
    case forget(DeviceInformation.IdUsernamePair)
}

extension DeviceInformation {
    /// The information after a change.
    func applying(_ change: DeviceRecordChange) -> DeviceInformation {
        switch change {
        case .name(let name): with(name: name)
        case .pushToken(let token): with(pushToken: token)
        case .remember(let pair):
            with(pairs: idUsernamePairs.filter { !$0.username.hasSameOctets(as: pair.username) } + [pair])
        case .forget(let pair):
            // Identifiers are the servers' to choose: another one may have chosen the same.
            with(
                pairs: idUsernamePairs.filter {
                    !($0.identifier.hasSameOctets(as: pair.identifier) && $0.username.hasSameOctets(as: pair.username))
                })
        }
    }

    func with(name: String) -> DeviceInformation {
        DeviceInformation(
            name: name, fcmRegistrationToken: fcmRegistrationToken, deviceId: deviceId,
            idUsernamePairs: idUsernamePairs)
    }

    func with(pushToken: String?) -> DeviceInformation {
        DeviceInformation(
            name: name, fcmRegistrationToken: pushToken, deviceId: deviceId, idUsernamePairs: idUsernamePairs)
    }

    func with(pairs: [IdUsernamePair]) -> DeviceInformation {
        DeviceInformation(
            name: name, fcmRegistrationToken: fcmRegistrationToken, deviceId: deviceId, idUsernamePairs: pairs)
    }
}
