/// Which family of devices a virtual one belongs to: it decides models, algorithms and how applications are named.
package enum DeviceFamily: String, CaseIterable, Sendable {
    case ios
    case android
    case linux

    /// What the application of the demonstration is called here: a bundle identifier, the hash of a signing certificate,
    /// a reverse domain name.
    package var demonstrationApplication: String {
        switch self {
        case .ios: "org.signet.demo"
        case .android: "w56fMyf2AmdJPOIAqm1cKTqbo2Q"
        case .linux: Self.linuxApplication
        }
    }

    /// Compiled in: on Linux nothing but the program itself can say which application it is.
    static let linuxApplication = "org.signet.demo"
}
