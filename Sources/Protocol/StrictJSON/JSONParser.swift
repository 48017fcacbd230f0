import Octets

/// Reads one JSON text in linear time, without recursion.
///
/// It refuses what parsers are known to disagree about: repeated member names (after unescaping), byte order marks,
/// invalid UTF-8, lone surrogates, and anything beyond the given limits.
package struct JSONParser: ~Copyable {
    private var scanner: JSONScanner
    private let limits: JSONLimits
    private var tokens: [JSONToken] = []
    private var open: [OpenContainer] = []
    /// Levels of most messages at most.
    private static let usualDepth = 4
    /// Tokens of most messages at most.
    private static let usualTokenCount = 48
    /// With fewer members than this a look through all of them is the fastest search.
    private static let fewMembers = 16

    /// Reads the JSON value that `bytes` hold.
    package static func parse(
        _ bytes: [UInt8], limits: JSONLimits = .message
    ) throws(StrictJSONError) -> JSONValue {
        let tokens = try bytes.withUnsafeBufferPointer { octets throws(StrictJSONError) in
            try read(octets, limits: limits)
        }
        return JSONDocument(bytes, tokens: tokens).value(at: 0)
    }

    /// Reads the JSON value that a string holds, for documents carried inside documents.
    package static func parse(
        _ text: String, limits: JSONLimits = .message
    ) throws(StrictJSONError) -> JSONValue {
        try parse(Array(text.utf8), limits: limits)
    }

    private static func read(
        _ octets: UnsafeBufferPointer<UInt8>, limits: JSONLimits
    ) throws(StrictJSONError) -> [JSONToken] {
        // Tokens count with 32 bits.
        guard octets.count <= min(limits.byteCount, Int(Int32.max)) else {
            throw .tooLarge(byteCount: octets.count, limit: limits.byteCount)
        }
        guard !octets.starts(with: [0xEF, 0xBB, 0xBF]) else { throw .byteOrderMark }
        var parser = JSONParser(scanner: JSONScanner(octets), limits: limits)
        return try parser.readDocument()
    }

    private init(scanner: consuming JSONScanner, limits: JSONLimits) {
        self.scanner = scanner
        self.limits = limits
        open.reserveCapacity(Self.usualDepth)
        tokens.reserveCapacity(Self.usualTokenCount)
    }

    private mutating func readDocument() throws(StrictJSONError) -> [JSONToken] {
        while true {
            guard try beginValue(), try endValue() else { continue }
            scanner.skipWhiteSpace()
            guard scanner.isAtEnd else { throw .trailingContent(offset: scanner.offset) }
            return tokens
        }
    }

    /// Reads a scalar or an empty container and returns true, or opens a container and returns false.
    private mutating func beginValue() throws(StrictJSONError) -> Bool {
        scanner.skipWhiteSpace()
        switch try scanner.peek() {
        case UInt8(ascii: "{"):
            try push(isObject: true)
            if try scanner.skipWhiteSpaceAndTake(UInt8(ascii: "}")) {
                close()
                return true
            }
            try readName()
            return false
        case UInt8(ascii: "["):
            try push(isObject: false)
            guard try scanner.skipWhiteSpaceAndTake(UInt8(ascii: "]")) else { return false }
            close()
            return true
        case UInt8(ascii: "\""): append(try scanner.readString())
        default: append(try scanner.readLiteralOrNumber())
        }
        return true
    }

    /// Counts a finished value where it belongs and closes what it completes; returns true at the end of the whole
    /// text, and false when another value has to follow.
    private mutating func endValue() throws(StrictJSONError) -> Bool {
        while let top = open.indices.last {
            guard open[top].count < limits.elementCount else {
                throw .tooManyElements(offset: scanner.offset, limit: limits.elementCount)
            }
            open[top].count += 1
            scanner.skipWhiteSpace()
            if try scanner.take(UInt8(ascii: ",")) {
                if open[top].isObject { try readName() }
                return false
            }
            let end = open[top].isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
            guard try scanner.take(end) else { throw .unexpectedByte(offset: scanner.offset) }
            close()
        }
        return true
    }

    private mutating func push(isObject: Bool) throws(StrictJSONError) {
        guard open.count < limits.depth else { throw .tooDeep(offset: scanner.offset, limit: limits.depth) }
        scanner.advance()
        open.append(OpenContainer(isObject: isObject, token: tokens.count))
        append(JSONToken(isObject ? .object : .array, 0..<0))
    }

    private mutating func close() {
        let container = open.removeLast()
        tokens[container.token].close(count: container.count, next: tokens.count)
    }

    private mutating func append(_ token: JSONToken) {
        var token = token
        token.next = tokens.count + 1
        tokens.append(token)
    }

    // MARK: - Names

    private mutating func readName() throws(StrictJSONError) {
        scanner.skipWhiteSpace()
        let start = scanner.offset
        guard try scanner.peek() == UInt8(ascii: "\"") else { throw .unexpectedByte(offset: start) }
        let name = try scanner.readString()
        guard scanner.octetCount(of: name) <= limits.nameByteCount else {
            throw .nameTooLong(offset: start, limit: limits.nameByteCount)
        }
        guard isNew(name) else { throw .duplicateMember(offset: start) }
        append(name)
        guard try scanner.skipWhiteSpaceAndTake(UInt8(ascii: ":")) else {
            throw .unexpectedByte(offset: scanner.offset)
        }
    }

    /// Whether the innermost object has no member of this name yet.
    private mutating func isNew(_ name: JSONToken) -> Bool {
        let object = open[open.count - 1]
        return tokens.withUnsafeBufferPointer { tokens in
            let names = JSONNames(in: scanner.text, tokens, content: object.token + 1..<tokens.count)
            guard object.count >= Self.fewMembers else { return !names.contain(name) }
            if open[open.count - 1].knownNames.isEmpty { open[open.count - 1].knownNames = Set(names.all()) }
            return open[open.count - 1].knownNames.insert(names.octets(of: name)).inserted
        }
    }
}

/// An array or object whose end has not been read yet.
struct OpenContainer {
    let isObject: Bool
    /// The index of its token.
    let token: Int
    /// Elements or members so far.
    var count = 0
    /// Names so far as bytes, kept once an object has more members than a look through them is worth.
    var knownNames: Set<[UInt8]> = []

    init(isObject: Bool, token: Int) {
        self.isObject = isObject
        self.token = token
    }
}
