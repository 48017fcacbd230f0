/// A reader finds a file by its name: no folder holds more than fit on a screen, and no name occurs twice in a layer.
enum FileShapeRule {
    /// Files in a folder at most.
    static let filesInFolder = 25

    /// Names that occur twice today; new ones are refused.
    static let repeatedNames: Set<String> = ["main"]

    static func violations(in files: [SourceFile]) -> [Violation] {
        folderViolations(in: files) + nameViolations(in: files)
    }

    private static func folderViolations(in files: [SourceFile]) -> [Violation] {
        let folders = Dictionary(grouping: files) { $0.components.dropLast().joined(separator: "/") }
        return folders.sorted { $0.key < $1.key }.compactMap { folder, files in
            guard files.count > filesInFolder else { return nil }
            return Violation(folder, 1, "the folder holds \(files.count) files, more than \(filesInFolder)")
        }
    }

    private static func nameViolations(in files: [SourceFile]) -> [Violation] {
        let names = Dictionary(grouping: files) { [$0.components[1], $0.name] }
        return names.values.filter { $0.count > 1 }.joined().filter { !repeatedNames.contains($0.name) }.map {
            Violation($0.path, 1, "another file of \($0.components[1]) has the name \($0.name)")
        }.sorted { $0.path < $1.path }
    }
}
