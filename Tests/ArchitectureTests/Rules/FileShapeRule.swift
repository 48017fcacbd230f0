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

    // MARK: - Judging

    static func violations(in files: [SourceFile]) -> [Violation] {
        smallFileViolations(in: files) + folderViolations(in: files) + typeViolations(in: files)
    }

    /// Targets with too many small files; those of a single file, programs, and Apple's stubs do not count.
    private static func smallFileViolations(in files: [SourceFile]) -> [Violation] {
        let counted = files.filter { $0.name != "main" && !$0.path.hasPrefix("Sources/\(Wing.appleStubs.rawValue)/") }
        return Dictionary(grouping: counted, by: \.target).sorted { $0.key < $1.key }.compactMap { target, files in
            guard files.count > 1 else { return nil }
            let small = files.filter { $0.lineCount < smallFileLines }.count
            let limit = files.count / filesPerSmallFile
            guard small > limit else { return nil }
            return Violation(
                target, 1, "\(small) of \(files.count) files have under \(smallFileLines) lines, \(limit) may")
        }
    }

    private static func folderViolations(in files: [SourceFile]) -> [Violation] {
        let folders = Dictionary(grouping: files) { $0.components.dropLast().joined(separator: "/") }
        return folders.sorted { $0.key < $1.key }.compactMap { folder, files in
            guard files.count > filesInFolder else { return nil }
            return Violation(folder, 1, "the folder holds \(files.count) files, more than \(filesInFolder)")
        }
    }

    /// Types that stand in the file of another one, though a reader would look for them elsewhere.
    ///
    /// A type is at home in the file of its name, in one whose name its own begins or ends with (the request in
    /// `Registration`, the selection question in `Question`), and in the only one that names it.
    private static func typeViolations(in files: [SourceFile]) -> [Violation] {
        var users: [Substring: Set<Int>] = [:]
        for (index, file) in files.enumerated() {
            for word in file.code.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
                users[word, default: []].insert(index)
            }
        }
        return files.enumerated().flatMap { index, file -> [Violation] in
            guard file.name != "main" else { return [] }
            let home = file.name.prefix { $0 != "+" }
            return file.types.filter { type in
                !type.name.hasPrefix(stem(of: home)) && !type.name.hasSuffix(home)
                    && !users[type.name[...], default: []].isSubset(of: [index])
            }.map { Violation(file.path, $0.line, "\($0.name) is used elsewhere and stands in the file of \(home)") }
        }
    }

    /// A name without the ending that makes it the name of an act: the enroller is at home in the enrolment.
    private static func stem(of name: Substring) -> Substring {
        guard let ending = ["ication", "ment", "ion"].first(where: { name.hasSuffix($0) }) else { return name }
        return name.dropLast(ending.count)
    }
}
