import Octets

/// Change of the record of this installation that is stored on this device.
package enum DeviceRecordChange: Hashable, Sendable {
    case name(String)
    case pushToken(String?)
    /// Changes of name and push token that some servers have not taken.
    case refused(by: Set<ServerAddress>, [DeviceRecordChange])
    /// A server has a record for a user; it replaces another one of that user.
    case remember(DeviceRecord.Link)
    /// The server of that user has no record of that identifier.
    case forget(DeviceRecord.Link)
}

extension DeviceRecordChange {
    package static func changes(
        _ name: String?, _ push: DeviceInformationChangeMachine.Parameters.Push?
    ) -> [DeviceRecordChange] {
        var changes: [DeviceRecordChange] = []
        if let name { changes.append(.name(name)) }
        switch push {
        case .token(let token)?: changes.append(.pushToken(token.reveal()))
        case .disabled?: changes.append(.pushToken(nil))
        case nil: break
        }
        return changes
    }
}
