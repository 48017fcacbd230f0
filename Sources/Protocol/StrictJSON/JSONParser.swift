import Octets

/// Reads one JSON text in linear time, without recursion.
///
/// It refuses what parsers are known to disagree about: repeated member names (after unescaping), byte order marks,
/// invalid UTF-8, lone surrogates, and anything beyond the given limits.
package struct JSONParser: ~Copyable {
    private var scanner: JSONScanner
    private let limits: JSONLimits
    private var tokens: [JSONToken] = []
    /// The index of the token of the innermost container that is open.
    private var innermost: Int?
    private var depth = 0
    /// Names of objects with many members as bytes, by the token of the object while it is open.
    private var knownNames: [Int: Set<[UInt8]>] = [:]
    private static let usualTokenCount = 48
    /// With fewer members than this a look through all of them is the fastest search.
    private static let fewMembers = 16

    package static func parse(
        _ bytes: [UInt8], limits: JSONLimits = .message
    ) throws(StrictJSONError) -> JSONValue {
        let tokens = try bytes.withUnsafeBufferPointer { octets throws(StrictJSONError) in
            try read(octets, limits: limits)
        }
        return JSONDocument(bytes, tokens: tokens).value(at: 0)
    }

    package static func parse(
        _ text: String, limits: JSONLimits = .message
    ) throws(StrictJSONError) -> JSONValue {
        try parse(Array(text.utf8), limits: limits)
    }

    /// Offset in bytes of the value that the names and indices of `path` lead to; nil for a text that is not read.
    ///
    /// Where the value is missing, it is the offset of what is around it.
    package static func offset(of path: [String], in bytes: [UInt8], limits: JSONLimits = .message) -> Int? {
        let tokens = try? bytes.withUnsafeBufferPointer { octets throws(StrictJSONError) in
            try read(octets, limits: limits)
        }
        return tokens.map { JSONDocument(bytes, tokens: $0).offset(of: path) }
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
            let object = try push(.object)
            if try scanner.skipWhiteSpaceAndTake(UInt8(ascii: "}")) {
                close(object)
                return true
            }
            try readName(in: object)
            return false
        case UInt8(ascii: "["):
            let array = try push(.array)
            guard try scanner.skipWhiteSpaceAndTake(UInt8(ascii: "]")) else { return false }
            close(array)
            return true
        case UInt8(ascii: "\""): append(try scanner.readString())
        default: append(try scanner.readLiteralOrNumber())
        }
        return true
    }

    /// Counts a finished value where it belongs and closes what it completes; returns true at the end of the whole
    /// text, and false when another value has to follow.
    private mutating func endValue() throws(StrictJSONError) -> Bool {
        while let container = innermost {
            guard tokens[container].count < limits.elementCount else {
                throw .tooManyElements(offset: scanner.offset, limit: limits.elementCount)
            }
            tokens[container].count += 1
            let isObject = tokens[container].kind == .object
            scanner.skipWhiteSpace()
            if try scanner.take(UInt8(ascii: ",")) {
                if isObject { try readName(in: container) }
                return false
            }
            guard try scanner.take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                throw .unexpectedByte(offset: scanner.offset)
            }
            close(container)
        }
        return true
    }

    /// Opens a container and returns the index of its token.
    private mutating func push(_ kind: JSONToken.Kind) throws(StrictJSONError) -> Int {
        guard depth < limits.depth else { throw .tooDeep(offset: scanner.offset, limit: limits.depth) }
        scanner.advance()
        depth += 1
        let container = tokens.count
        tokens.append(JSONToken(opening: kind, inside: innermost))
        innermost = container
        return container
    }

    private mutating func close(_ container: Int) {
        innermost = tokens[container].parent
        depth -= 1
        tokens[container].next = tokens.count
        if !knownNames.isEmpty { knownNames[container] = nil }
    }

    private mutating func append(_ token: JSONToken) {
        var token = token
        token.next = tokens.count + 1
        tokens.append(token)
    }

    // MARK: - Names

    private mutating func readName(in object: Int) throws(StrictJSONError) {
        scanner.skipWhiteSpace()
        let start = scanner.offset
        guard try scanner.peek() == UInt8(ascii: "\"") else { throw .unexpectedByte(offset: start) }
        let name = try scanner.readString()
        guard scanner.octetCount(of: name) <= limits.nameByteCount else {
            throw .nameTooLong(offset: start, limit: limits.nameByteCount)
        }
        guard isNew(name, in: object) else { throw .duplicateMember(offset: start) }
        append(name)
        guard try scanner.skipWhiteSpaceAndTake(UInt8(ascii: ":")) else {
            throw .unexpectedByte(offset: scanner.offset)
        }
    }

    private mutating func isNew(_ name: JSONToken, in object: Int) -> Bool {
        let hasMany = tokens[object].count >= Self.fewMembers
        return tokens.withUnsafeBufferPointer { tokens in
            let names = JSONNames(in: scanner.text, tokens, content: object + 1..<tokens.count)
            guard hasMany else { return !names.contain(name) }
            return knownNames[object, default: Set(names.all())].insert(names.octets(of: name)).inserted
        }
    }
}
