import Foundation

/// What the figures were measured on.
package struct Machine {
    private let cores = ProcessInfo.processInfo.activeProcessorCount
    private let system: String
    private let processor: String

    /// Looks at the machine that this runs on.
    package init() {
        system = Self.printable(ProcessInfo.processInfo.operatingSystemVersionString)
        let content = FileManager.default.contents(atPath: "/proc/cpuinfo") ?? Data()
        let model = String(decoding: content, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("model name") }?.split(separator: ":").last
        processor = Self.printable(model.map(String.init) ?? "unknown")
    }

    /// The machine as a JSON object.
    package var json: String { #"{"cores":\#(cores),"processor":"\#(processor)","system":"\#(system)"}"# }

    /// The machine in one line.
    package var line: String { "\(processor), \(cores) cores, \(system)" }

    /// Without what JSON would have to escape.
    private static func printable(_ text: String) -> String {
        text.filter { $0.isASCII && !"\"\\".contains($0) && !$0.isNewline }.trimmingCharacters(in: .whitespaces)
    }
}
