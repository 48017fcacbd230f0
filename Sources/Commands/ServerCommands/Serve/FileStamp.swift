import Foundation

/// Identity and modification time of a file or folder, to detect changes without reading it.
///
/// Foundation is asked rather than `stat`: on Linux several modules declare its members, and which of them a build takes
/// for their owner depends on the order in which it loads the files of this module.
struct FileStamp: Hashable {
    private let device: UInt64?
    private let inode: UInt64?
    private let size: UInt64?
    /// Time of the last change, in seconds with fractions.
    private let modified: TimeInterval?

    /// Stamp of the file at a path, with symbolic links followed; nil when there is none.
    init?(of path: String) {
        let target = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target) else { return nil }
        device = Self.number(attributes[.systemNumber])
        inode = Self.number(attributes[.systemFileNumber])
        size = Self.number(attributes[.size])
        modified = (attributes[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate
    }

    private static func number(_ attribute: Any?) -> UInt64? {
        (attribute as? UInt64) ?? (attribute as? NSNumber)?.uint64Value
            ?? (attribute as? Int).map(UInt64.init(clamping:))
    }
}
