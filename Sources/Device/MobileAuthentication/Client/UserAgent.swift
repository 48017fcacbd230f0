import Foundation

/// How the SDK introduces itself to servers: `NMASDK/<version> (<model>; <os> <os version>) <bundle id>/<app version>`.
enum UserAgent {
    static var text: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        let system = "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
        let application = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String ?? "0"
        return visible(
            "NMASDK/\(MetaData.mobileAuthenticationVersion) (\(model); \(name) \(system)) "
                + "\(MetaData.bundleIdentifier)/\(application)")
    }

    #if os(iOS)
        private static let name = "iOS"
        private static let model = "iPhone"
    #elseif os(macOS)
        private static let name = "macOS"
        private static let model = "Mac"
    #else
        private static let name = "Linux"
        private static let model = "PC"
    #endif

    /// Only what may stand in a header field.
    private static func visible(_ text: String) -> String {
        String(decoding: text.utf8.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    }
}
