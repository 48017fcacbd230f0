import BenchmarkSupport
import Foundation

/// Memory that another process has, and what it has written, as the kernel reports them (proc(5)).
enum ProcessUse {
    /// Resident memory in octets.
    static func residentOctets(of process: Int32) throws -> Int {
        try number("VmRSS:", in: "/proc/\(process)/status") * 1_024
    }

    /// Resident memory as a figure.
    static func figure(_ name: String, octets: Int) -> Figure {
        Figure(name: name, value: Double(octets) / 1_048_576, unit: "MiB")
    }

    /// Octets that the process has had written to disks so far, whole pages of its files.
    static func writtenOctets(of process: Int32) throws -> Int {
        try number("write_bytes:", in: "/proc/\(process)/io")
    }

    private static func number(_ label: String, in path: String) throws -> Int {
        let content = FileManager.default.contents(atPath: path) ?? Data()
        let line = String(decoding: content, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(label) }
        guard let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) }) else {
            throw BenchmarkFailure.noProcessTime
        }
        return number
    }
}
