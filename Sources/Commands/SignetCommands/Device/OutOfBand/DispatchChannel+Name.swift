import MobileAuthentication

extension DispatchChannel {
    /// A word for the channel; that of an unknown dispatcher is its own, fit for a terminal.
    var name: String {
        switch self {
        case .firebase: "push"
        case .png: "qr-code"
        case .link: "link"
        case .email: "e-mail"
        case .inBand: "in-band"
        case .other(let name): ForeignText.name(name)
        @unknown default: "unknown"
        }
    }
}
