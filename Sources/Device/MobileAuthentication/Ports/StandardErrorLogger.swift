import Foundation

/// A logger that writes one line a message to the standard error: for first steps and for command lines.
public struct StandardErrorLogger: SDKLogger {
    private let least: SDKLogLevel

    /// Writes messages of at least this level.
    public init(from least: SDKLogLevel = .notice) { self.least = least }

    /// Writes level, category, text and fields.
    public func log(_ level: SDKLogLevel, _ category: SDKLogCategory, _ message: String, _ fields: [SDKLogField]) {
        guard level >= least else { return }
        let words = [level.description, category.rawValue + ":", message] + fields.map(\.description)
        try? FileHandle.standardError.write(contentsOf: Data((words.joined(separator: " ") + "\n").utf8))
    }
}
