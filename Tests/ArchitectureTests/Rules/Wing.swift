/// The parts of the house; data and imports go from the upper ones down to the protocol, never up or across.
enum Wing: String, CaseIterable {
    case `protocol` = "Protocol"
    case device = "Device"
    case server = "Server"
    case commands = "Commands"

    /// The wings a wing may import from.
    var below: Set<Wing> {
        switch self {
        case .protocol: [.protocol]
        case .device: [.protocol, .device]
        case .server: [.protocol, .server]
        case .commands: [.protocol, .device, .server, .commands]
        }
    }
}
