import Foundation
import ServerAdministration
import ServerCore

/// Lines of a file that may be larger than the memory, ended by LF or CRLF.
final class FileLines: ImportLines {
    private static let lineLimit = 64 * 1_024

    private let descriptor: Int32
    private var part = [UInt8](repeating: 0, count: 256 * 1_024)
    private var place = 0
    private var end = 0
    private var isAtEnd = false

    init(_ path: String) throws(ImportFault) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable }
    }

    deinit { close(descriptor) }

    private static var unreadable: ImportFault { ImportFault("cannot be read: \(String(cString: strerror(errno)))") }

    func next() throws(ImportFault) -> ImportLine? {
        var line: [UInt8] = []
        var isShort = true
        var isEmpty = true
        while true {
            if place == end {
                try fill()
                if isAtEnd { return isEmpty ? nil : .some(isShort ? line : nil) }
            }
            isEmpty = false
            let rest = part[place..<end]
            let newline = rest.firstIndex(of: UInt8(ascii: "\n"))
            let piece = rest[..<(newline ?? end)]
            isShort = isShort && line.count + piece.count <= Self.lineLimit
            if isShort { line += piece }
            place = newline.map { $0 + 1 } ?? end
            guard newline == nil else {
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                return .some(isShort ? line : nil)
            }
        }
    }

    private func fill() throws(ImportFault) {
        let count = part.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw Self.unreadable }
        (place, end, isAtEnd) = (0, count, count == 0)
    }

    /// Hash of a file behind other octets, and the number of its lines.
    static func hash(_ path: String, behind prefix: [UInt8]) throws(ImportFault) -> (text: String, lines: Int) {
        let file = try FileLines(path)
        var (hash, lines) = (RunningHash(), 0)
        hash.add(prefix[...])
        while true {
            try file.fill()
            if file.isAtEnd { return (hash.text, lines) }
            hash.add(file.part[..<file.end])
            lines += file.part[..<file.end].count { $0 == UInt8(ascii: "\n") }
        }
    }

    /// All octets of a file of at most `limit`.
    static func contents(of path: String, limit: Int) throws(ImportFault) -> [UInt8] {
        let file = try FileLines(path)
        var octets: [UInt8] = []
        while true {
            try file.fill()
            if file.isAtEnd { return octets }
            octets += file.part[..<file.end]
            guard octets.count <= limit else {
                throw ImportFault("has more than \(limit >> 20) MiB: one document is read as a whole (--max-size)")
            }
        }
    }
}
