#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The PAM service that checks a passcode: a file that names the modules.
///
/// It has to be an own one. PAM quietly takes the service `other` for one that it does not have, and the services of
/// Debian may let a finger pass for a passcode, or an account in that has none; so the file is looked for first.
public struct PAMService: Hashable, Sendable {
    /// The service that this package ships as `packaging/pam/signet`.
    public static let signet = PAMService(checked: "signet", folder: nil, searched: systemFolders)

    private static let systemFolders = ["/etc/pam.d", "/usr/lib/pam.d"]

    /// The name of the file.
    public let name: String
    /// The folder it lies in; nil for the system's.
    public let folder: String?

    private let searched: [String]

    /// Names a service of the system, or one in the given folder.
    ///
    /// It is nil unless the name consists of lower-case letters, digits and `-`, and the folder is an absolute path.
    public init?(name: String, folder: String? = nil) {
        self.init(name: name, folder: folder, searched: folder.map { [$0] } ?? Self.systemFolders)
    }

    /// Names a service of the system whose folders tests have put elsewhere.
    package init?(name: String, searched: [String]) {
        self.init(name: name, folder: nil, searched: searched)
    }

    private init?(name: String, folder: String?, searched: [String]) {
        let isName = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard isName, (1...64).contains(name.utf8.count) else { return nil }
        if let folder, folder.utf8.first != UInt8(ascii: "/") { return nil }
        self.init(checked: name, folder: folder, searched: searched)
    }

    private init(checked name: String, folder: String?, searched: [String]) {
        self.name = name
        self.folder = folder
        self.searched = searched
    }

    /// Whether the file is there; PAM is not asked.
    public var isInstalled: Bool {
        searched.contains { access($0 + "/" + name, R_OK) == 0 }
    }
}
