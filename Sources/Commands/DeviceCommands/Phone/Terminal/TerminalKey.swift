/// Keys that line editing understands.
enum TerminalKey: Hashable, Sendable {
    case text(Character)
    case enter
    case tab
    /// Ctrl-C.
    case interrupt
    /// Ctrl-D: ends the input of an empty line, else deletes the character at the cursor.
    case end
    case backspace
    case delete
    case left
    case right
    case lineStart
    case lineEnd
    case up
    case down
    /// Ctrl-K.
    case eraseToEnd
    /// Ctrl-U.
    case eraseToStart
    /// Ctrl-W.
    case eraseWord
    /// Ctrl-L.
    case redraw
}

/// Parser of the bytes that a terminal sends for keys (ECMA-48 control sequences and UTF-8).
///
/// An incomplete sequence at the end of a read is kept until the rest arrives; unknown sequences are dropped.
struct TerminalKeyReader {
    private static let escape: UInt8 = 0x1B
    private static let lengthLimit = 32

    private var pending: [UInt8] = []

    /// The keys that these bytes complete.
    mutating func keys(from bytes: some Sequence<UInt8>) -> [TerminalKey] {
        pending += bytes
        var keys: [TerminalKey] = []
        while let length = Self.length(of: pending) {
            if let key = Self.key(pending.prefix(length)) { keys.append(key) }
            pending.removeFirst(length)
        }
        if pending.count > Self.lengthLimit { pending = [] }
        return keys
    }

    /// Number of bytes of the first key; nil while it is incomplete.
    private static func length(of bytes: [UInt8]) -> Int? {
        guard let first = bytes.first else { return nil }
        if first == escape { return sequenceLength(of: bytes) }
        let length =
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        return bytes.count >= length ? length : nil
    }

    private static func sequenceLength(of bytes: [UInt8]) -> Int? {
        guard bytes.count > 1 else { return nil }
        switch bytes[1] {
        case UInt8(ascii: "["):
            guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
            return end + 1
        case UInt8(ascii: "O"): return bytes.count > 2 ? 3 : nil
        default: return 2
        }
    }

    private static func key(_ bytes: ArraySlice<UInt8>) -> TerminalKey? {
        guard let first = bytes.first else { return nil }
        if first == escape { return sequences[String(decoding: bytes.dropFirst(), as: UTF8.self)] }
        if let control = controls[first] { return control }
        guard let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first else { return nil }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: return nil
        default: return .text(Character(scalar))
        }
    }

    private static let sequences: [String: TerminalKey] = [
        "[A": .up, "[B": .down, "[C": .right, "[D": .left, "OA": .up, "OB": .down, "OC": .right, "OD": .left,
        "[H": .lineStart, "[F": .lineEnd, "OH": .lineStart, "OF": .lineEnd, "[1~": .lineStart, "[4~": .lineEnd,
        "[7~": .lineStart, "[8~": .lineEnd, "[3~": .delete,
    ]

    private static let controls: [UInt8: TerminalKey] = [
        0x01: .lineStart, 0x02: .left, 0x03: .interrupt, 0x04: .end, 0x05: .lineEnd, 0x06: .right, 0x08: .backspace,
        0x09: .tab, 0x0A: .enter, 0x0B: .eraseToEnd, 0x0C: .redraw, 0x0D: .enter, 0x0E: .down, 0x10: .up,
        0x15: .eraseToStart, 0x17: .eraseWord, 0x7F: .backspace,
    ]
}
