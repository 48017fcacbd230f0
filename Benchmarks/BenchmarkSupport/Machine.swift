import Foundation

/// Description of the machine on which the figures were measured.
package struct Machine {
    private let cores = ProcessInfo.processInfo.activeProcessorCount
    private let system: String
    private let processor: String

    /// Reads the description of this machine.
    package init() {
        system = Self.printable(ProcessInfo.processInfo.operatingSystemVersionString)
        let content = FileManager.default.contents(atPath: "/proc/cpuinfo") ?? Data()
        let model = String(decoding: content, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("model name") }?.split(separator: ":").last
        processor = Self.printable(model.map(String.init) ?? "unknown")
    }

    /// JSON object of the description, as text.
    package var json: String { #"{"cores":\#(cores),"processor":"\#(processor)","system":"\#(system)"}"# }

    /// The description in one line.
    package var line: String { "\(processor), \(cores) cores, \(system)" }

    /// The text without the characters that JSON would have to escape.
    private static func printable(_ text: String) -> String {
        text.filter { $0.isASCII && !"\"\\".contains($0) && !$0.isNewline }.trimmingCharacters(in: .whitespaces)
    }
}
