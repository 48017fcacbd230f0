import BackendAPI
import UAF

/// One step of mending what does not agree.
enum DeviceRepair: Hashable, Sendable {
    /// The server forgets credentials and records of this device.
    case removeThere(DeviceRemoval, DeviceID, DeviceSnapshot.Target)
    /// The server changes a record.
    case changeThere(DeviceSnapshot.Target, TargetChange)
    /// This device forgets credentials of a server.
    case removeHere([CredentialID], ServerAddress)
    /// This device changes its record of itself.
    case changeHere([DeviceRecordChange], ServerAddress)

    /// The server that it is about.
    var server: ServerAddress {
        switch self {
        case .removeThere(_, _, let signer): signer.server
        case .changeThere(let target, _): target.server
        case .removeHere(_, let server), .changeHere(_, let server): server
        }
    }
}
