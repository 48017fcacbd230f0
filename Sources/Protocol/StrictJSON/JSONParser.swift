import Octets

/// Reads one JSON text in linear time, without recursion.
///
/// It refuses what parsers are known to disagree about: repeated member names (after unescaping), byte order marks,
/// invalid UTF-8, lone surrogates, and anything beyond the given limits.
package struct JSONParser: ~Copyable {
    private var scanner: JSONScanner
    private let limits: JSONLimits
    private var open: [OpenContainer] = []
    /// Levels of most messages at most.
    private static let usualDepth = 4

    /// Reads the JSON value that `bytes` hold.
    package static func parse(
        _ bytes: [UInt8], limits: JSONLimits = .message
    ) throws(StrictJSONError) -> JSONValue {
        try bytes.withUnsafeBufferPointer { octets throws(StrictJSONError) in try parse(octets, limits: limits) }
    }

    /// Reads the JSON value that a string holds, for documents carried inside documents.
    package static func parse(
        _ text: String, limits: JSONLimits = .message
    ) throws(StrictJSONError) -> JSONValue {
        try parse(Array(text.utf8), limits: limits)
    }

    private static func parse(
        _ octets: UnsafeBufferPointer<UInt8>, limits: JSONLimits
    ) throws(StrictJSONError) -> JSONValue {
        guard octets.count <= limits.byteCount else {
            throw .tooLarge(byteCount: octets.count, limit: limits.byteCount)
        }
        guard !octets.starts(with: [0xEF, 0xBB, 0xBF]) else { throw .byteOrderMark }
        var parser = JSONParser(scanner: JSONScanner(octets), limits: limits)
        return try parser.parseDocument()
    }

    private init(scanner: consuming JSONScanner, limits: JSONLimits) {
        self.scanner = scanner
        self.limits = limits
        open.reserveCapacity(Self.usualDepth)
    }

    private mutating func parseDocument() throws(StrictJSONError) -> JSONValue {
        while true {
            guard let value = try beginValue() else { continue }
            guard let document = try attach(value) else { continue }
            scanner.skipWhiteSpace()
            guard scanner.isAtEnd else { throw .trailingContent(offset: scanner.offset) }
            return document
        }
    }

    /// Reads a scalar or an empty container, or opens a container and returns nil.
    private mutating func beginValue() throws(StrictJSONError) -> JSONValue? {
        scanner.skipWhiteSpace()
        switch try scanner.peek() {
        case UInt8(ascii: "{"):
            try push(OpenContainer(isObject: true))
            if try scanner.skipWhiteSpaceAndTake(UInt8(ascii: "}")) { return open.removeLast().finish() }
            try readName()
            return nil
        case UInt8(ascii: "["):
            try push(OpenContainer(isObject: false))
            if try scanner.skipWhiteSpaceAndTake(UInt8(ascii: "]")) { return open.removeLast().finish() }
            return nil
        case UInt8(ascii: "\""): return .string(try scanner.readString())
        default: return try scanner.readLiteralOrNumber()
        }
    }

    /// Puts a finished value where it belongs and closes what it completes; returns the value of the whole text at
    /// its end, or nil when another value has to follow.
    private mutating func attach(_ first: JSONValue) throws(StrictJSONError) -> JSONValue? {
        var value = first
        while let top = open.indices.last {
            guard open[top].count < limits.elementCount else {
                throw .tooManyElements(offset: scanner.offset, limit: limits.elementCount)
            }
            open[top].append(value)
            scanner.skipWhiteSpace()
            if try scanner.take(UInt8(ascii: ",")) {
                if open[top].isObject { try readName() }
                return nil
            }
            let close = open[top].isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
            guard try scanner.take(close) else { throw .unexpectedByte(offset: scanner.offset) }
            value = open.removeLast().finish()
        }
        return value
    }

    private mutating func push(_ container: OpenContainer) throws(StrictJSONError) {
        guard open.count < limits.depth else { throw .tooDeep(offset: scanner.offset, limit: limits.depth) }
        scanner.advance()
        open.append(container)
    }

    private mutating func readName() throws(StrictJSONError) {
        scanner.skipWhiteSpace()
        let start = scanner.offset
        guard try scanner.peek() == UInt8(ascii: "\"") else { throw .unexpectedByte(offset: start) }
        let name = try scanner.readString()
        guard name.utf8.count <= limits.nameByteCount else {
            throw .nameTooLong(offset: start, limit: limits.nameByteCount)
        }
        guard open[open.count - 1].begin(name) else { throw .duplicateMember(offset: start) }
        guard try scanner.skipWhiteSpaceAndTake(UInt8(ascii: ":")) else {
            throw .unexpectedByte(offset: scanner.offset)
        }
    }
}
