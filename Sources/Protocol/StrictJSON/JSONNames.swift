import Octets

/// The names of an object's members, in the text and the tokens that they are read from.
///
/// It borrows text and tokens: the caller keeps them alive for as long as it is used.
struct JSONNames {
    private let text: UnsafeBufferPointer<UInt8>
    private let tokens: UnsafeBufferPointer<JSONToken>
    private let content: Range<Int>

    init(in text: UnsafeBufferPointer<UInt8>, _ tokens: UnsafeBufferPointer<JSONToken>, content: Range<Int>) {
        self.text = text
        self.tokens = tokens
        self.content = content
    }

    func value(named name: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = content.lowerBound
        while index < content.upperBound {
            if isName(index, name) { return index + 1 }
            index = tokens[index + 1].next
        }
        return nil
    }

    /// Whether a name among the tokens, its escapes resolved, is one of the names.
    func contain(_ name: JSONToken) -> Bool {
        guard name.kind != .escapedString else {
            return octets(of: name).withUnsafeBufferPointer { value(named: $0) } != nil
        }
        return value(named: UnsafeBufferPointer(rebasing: text[name.characters])) != nil
    }

    func all() -> [[UInt8]] {
        var names: [[UInt8]] = []
        var index = content.lowerBound
        while index < content.upperBound {
            names.append(octets(of: tokens[index]))
            index = tokens[index + 1].next
        }
        return names
    }

    /// The bytes of a name, its escapes resolved.
    func octets(of name: JSONToken) -> [UInt8] {
        name.kind == .escapedString
            ? Array(JSONScanner.string(name, in: text).utf8) : Array(text[name.characters])
    }

    private func isName(_ index: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let token = tokens[index]
        guard token.kind != .escapedString else { return octets(of: token).elementsEqual(name) }
        let characters = token.characters
        guard characters.count == name.count else { return false }
        for offset in 0..<name.count where text[characters.lowerBound + offset] != name[offset] { return false }
        return true
    }
}
