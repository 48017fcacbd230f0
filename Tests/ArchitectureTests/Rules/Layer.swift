/// The layers of the package; data and imports go from the upper ones down to the protocol, never up or across.
enum Layer: String, CaseIterable {
    case `protocol` = "Protocol"
    case device = "Device"
    case server = "Server"
    case commands = "Commands"

    /// The layers a layer may import from.
    var below: Set<Layer> {
        switch self {
        case .protocol: [.protocol]
        case .device: [.protocol, .device]
        case .server: [.protocol, .server]
        case .commands: [.protocol, .device, .server, .commands]
        }
    }
}
