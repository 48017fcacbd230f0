/// Durable state of a disk, and its pending changes.
struct DiskPlatter {
    /// Creation or removal of a name.
    enum NameChange {
        case link(String, file: Int)
        case unlink(String, file: Int)

        var path: String {
            switch self {
            case .link(let path, _), .unlink(let path, _): path
            }
        }
    }

    /// Paths of the directories; creating one waits until it is durable.
    private(set) var directories: Set<String>
    private(set) var pendingNames: [NameChange] = []
    private var durableNames: [String: Int] = [:]
    /// Names visible to the running system.
    private var currentNames: [String: Int] = [:]
    private var files: [(synchronized: [UInt8], pending: [UInt8])] = []

    init(_ image: DiskImage) {
        directories = image.directories
        for (path, content) in image.files.sorted(by: { $0.key < $1.key }) {
            durableNames[path] = files.count
            files.append((content, []))
        }
        currentNames = durableNames
    }

    mutating func take(_ step: DiskStep) {
        switch step {
        case .makeDirectory(let path): directories.insert(path)
        case .makeFile(let path, let file):
            files.append(([], []))
            link(path, to: file)
        case .write(let file, let bytes): files[file].pending += bytes
        case .synchronize(let file): files[file] = (files[file].synchronized + files[file].pending, [])
        case .rename(let path, let newPath):
            if let file = currentNames[path] {
                link(newPath, to: file)
                unlink(path)
            }
        case .remove(let path): unlink(path)
        case .synchronizeDirectory(let directory): settle(directory)
        case .acknowledge, .count: break
        }
    }

    /// Names on the disk when these of the pending changes became durable.
    func names(afterKeeping survivors: [Bool]) -> [String: Int] {
        var names = durableNames
        for (change, survives) in zip(pendingNames, survivors) where survives { Self.apply(change, to: &names) }
        return names
    }

    /// Every content that a file may have after a power loss.
    func contents(of file: Int, sectorByteCount: Int) -> [[UInt8]] {
        let (synchronized, pending) = files[file]
        guard !pending.isEmpty else { return [synchronized] }
        let sectors = stride(from: 0, to: pending.count, by: sectorByteCount).map {
            pending[$0..<min($0 + sectorByteCount, pending.count)]
        }
        var contents: [[UInt8]] = []
        for survivors in SurvivingSubsets.of(sectors.count) {
            let parts = zip(sectors, survivors).map { $1 ? Array($0) : [UInt8](repeating: 0, count: $0.count) }
            contents.append(synchronized + parts.joined())
            let end = survivors.lastIndex(of: true).map { $0 + 1 } ?? 0
            contents.append(synchronized + parts[..<end].joined())
        }
        return contents
    }

    private mutating func link(_ path: String, to file: Int) {
        currentNames[path] = file
        pendingNames.append(.link(path, file: file))
    }

    private mutating func unlink(_ path: String) {
        guard let file = currentNames.removeValue(forKey: path) else { return }
        pendingNames.append(.unlink(path, file: file))
    }

    private mutating func settle(_ directory: String) {
        for change in pendingNames where DiskImage.directory(of: change.path) == directory {
            Self.apply(change, to: &durableNames)
        }
        pendingNames.removeAll { DiskImage.directory(of: $0.path) == directory }
    }

    private static func apply(_ change: NameChange, to names: inout [String: Int]) {
        switch change {
        case .link(let path, let file): names[path] = file
        case .unlink(let path, let file): if names[path] == file { names[path] = nil }
        }
    }
}
