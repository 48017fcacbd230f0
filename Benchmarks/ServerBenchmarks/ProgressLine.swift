import Foundation

/// Lines on standard error about what a benchmark is doing.
enum ProgressLine {
    /// Writes one line.
    static func say(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
