/// A file is one idea: a type together with the types that exist only for it, 60 to 200 lines.
///
/// Three parts: few files of a target are small, no folder holds more than a reader can take in, and a further type
/// stands in a file only when it belongs there.
enum FileShapeRule {
    /// A file with fewer lines is small and needs a reason: a port, a public error, a registry, `main`.
    static let smallFileLines = 30
    /// Files of a target, of which one in this many may be small.
    static let filesPerSmallFile = 4
    /// Files in a folder at most.
    static let filesInFolder = 25

    // MARK: - Debts

    /// Small files of the targets that have more than the rule allows; each number may only fall.
    static let smallFiles: [String: Int] = [
        "Authenticators": 45, "BackendAPI": 29, "HardwareKeys": 17,
        "HardwareKeysTPM": 15, "JOSE": 15, "MobileAuthentication": 225, "MobileAuthenticationTestKit": 10, "Octets": 4,
        "RelyingParty": 42, "SecureStorage": 16, "ServerCore": 81, "ServerPersistence": 22,
        "ServerPersistenceSQLite": 2, "ServerPush": 10, "SignetCommands": 86, "StrictJSON": 5, "UAF": 89,
        "UserVerificationLinux": 19, "VirtualDevice": 7, "QRReader": 1,
    ]
    /// Files of the folders that hold more than the rule allows; each number may only fall.
    static let crowdedFolders: [String: Int] = [
        "Sources/Device/MobileAuthentication/Client": 37,
        "Sources/Device/MobileAuthentication/Errors": 27,
        "Sources/Device/MobileAuthentication/Operations/Ceremony": 43, "Sources/Protocol/JOSE": 35,
        "Sources/Protocol/UAF/Messages": 54,
        "Sources/Server/ServerCore/Domain/OutOfBand": 29,
    ]

    // MARK: - Judging

    static func violations(in files: [SourceFile]) -> [Violation] {
        smallFileViolations(in: files) + folderViolations(in: files) + typeViolations(in: files)
    }

    /// Targets with too many small files; those of a single file, programs, and Apple's stubs do not count.
    private static func smallFileViolations(in files: [SourceFile]) -> [Violation] {
        let counted = files.filter { $0.name != "main" && !$0.path.hasPrefix("Sources/\(Wing.appleStubs.rawValue)/") }
        return Dictionary(grouping: counted, by: \.target).sorted { $0.key < $1.key }.compactMap { target, files in
            let small = files.filter { $0.lineCount < smallFileLines }.count
            let limit = max(files.count / filesPerSmallFile, smallFiles[target] ?? 0)
            guard small > limit else { return nil }
            return Violation(
                target, 1, "\(small) of \(files.count) files have under \(smallFileLines) lines, \(limit) may")
        }
    }

    private static func folderViolations(in files: [SourceFile]) -> [Violation] {
        let folders = Dictionary(grouping: files) { $0.components.dropLast().joined(separator: "/") }
        return folders.sorted { $0.key < $1.key }.compactMap { folder, files in
            let limit = crowdedFolders[folder] ?? filesInFolder
            guard files.count > limit else { return nil }
            return Violation(folder, 1, "the folder holds \(files.count) files, more than \(limit)")
        }
    }

    /// Types that stand in the file of another one, though a reader would look for them elsewhere.
    ///
    /// A type is at home in the file of its name, in one whose name its own begins or ends with (the request in
    /// `Registration`, the selection question in `Question`), and in the only one that names it.
    private static func typeViolations(in files: [SourceFile]) -> [Violation] {
        let words = files.map { Set($0.code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }) }
        return files.enumerated().flatMap { index, file -> [Violation] in
            guard file.name != "main" else { return [] }
            let home = file.name.prefix { $0 != "+" }
            let strangers = TypeDeclaration.topLevel(in: file.code).filter { !$0.name.hasPrefix(home) }
            return strangers.filter { type in
                words.enumerated().contains { $0.offset != index && $0.element.contains(type.name[...]) }
            }.map { Violation(file.path, $0.line, "\($0.name) is used elsewhere and stands in the file of \(home)") }
        }
    }
}
