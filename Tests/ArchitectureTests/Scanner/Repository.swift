import Foundation

/// The files of the package that contains this test.
enum Repository {
    static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    /// Every Swift file under the folders that hold code.
    static let files: [SourceFile] = ["Sources", "Tests", "Fuzz", "Benchmarks"].flatMap { folder in
        paths(under: folder).filter { $0.hasSuffix(".swift") }.compactMap { path in
            text(of: path).map { SourceFile(path: path, text: $0) }
        }
    }

    private static let filesByPath = Dictionary(grouping: files, by: \.path)

    /// The Swift file at a path, alone; none when there is none.
    static func files(at path: String) -> [SourceFile] { filesByPath[path] ?? [] }

    static let sources = files.filter(\.isSource)

    /// The paths of all files that belong to the package, build folders and the version control's own left out.
    static let allPaths: [String] = paths(under: "")

    /// The text of a file, or nil when there is none or it is not UTF-8.
    static func text(of path: String) -> String? {
        guard let data = try? Data(contentsOf: root.appending(path: path)) else { return nil }
        return String(validating: data, as: UTF8.self)
    }

    private static func paths(under folder: String) -> [String] {
        let start = folder.isEmpty ? root : root.appending(path: folder, directoryHint: .isDirectory)
        guard let entries = FileManager.default.enumerator(atPath: start.path()) else { return [] }
        var found: [String] = []
        while let entry = entries.nextObject() as? String {
            let isHiddenFromVersions = entry == ".git" || entry.hasPrefix(".build") || entry == ".swiftpm"
            let kind = entries.fileAttributes?[.type] as? FileAttributeType
            if isHiddenFromVersions, kind == .typeDirectory { entries.skipDescendants() }
            guard kind == .typeRegular, !isHiddenFromVersions else { continue }
            found.append(folder.isEmpty ? entry : "\(folder)/\(entry)")
        }
        return found.sorted()
    }
}
