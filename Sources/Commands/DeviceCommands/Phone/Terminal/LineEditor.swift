/// State of a line under edit: its text, the cursor, and the history of earlier lines.
struct LineEditor {
    /// Effect of a key.
    enum Outcome: Hashable {
        /// Text or cursor has changed.
        case changed
        /// Only the character was added, at the end.
        case appended(Character)
        /// Nothing has changed.
        case nothing
        /// The line has to be drawn again.
        case redraw
        /// Several words that complete the one at the cursor.
        case candidates([String])
        case submitted
        case interrupted
        case ended
    }

    /// Maximum length of a line in characters.
    private static let lengthLimit = 4096

    private(set) var characters: [Character] = []
    /// Number of characters before the cursor.
    private(set) var cursor = 0
    private let history: [String]
    private let words: [String]
    /// Index into the history; its end stands for the new line.
    private var place: Int
    private var draft: [Character] = []

    /// Empty line; `history` begins with the oldest entry, `words` are the completions of Tab at the beginning of a
    /// line.
    init(history: [String] = [], words: [String] = []) {
        self.history = history
        self.words = words
        place = history.count
    }

    /// Text of the line.
    var text: String { String(characters) }

    /// The part of the line that fits into `columns`, with the cursor in it.
    func view(columns: Int) -> (text: String, cursor: Int) {
        let width = max(1, columns)
        guard characters.count >= width else { return (text, cursor) }
        let start = max(0, min(cursor - width / 2, characters.count - width + 1))
        return (String(characters[start...].prefix(width - 1)), cursor - start)
    }

    /// Applies a key.
    mutating func press(_ key: TerminalKey) -> Outcome {
        switch key {
        case .text(let character): insert(character)
        case .enter: .submitted
        case .interrupt: .interrupted
        case .redraw: .redraw
        case .tab: complete()
        case .end: characters.isEmpty ? .ended : remove(cursor..<min(cursor + 1, characters.count))
        case .delete: remove(cursor..<min(cursor + 1, characters.count))
        case .backspace: remove(max(0, cursor - 1)..<cursor)
        case .eraseToEnd: remove(cursor..<characters.count)
        case .eraseToStart: remove(0..<cursor)
        case .eraseWord: remove(wordStart..<cursor)
        case .left: move(to: cursor - 1)
        case .right: move(to: cursor + 1)
        case .lineStart: move(to: 0)
        case .lineEnd: move(to: characters.count)
        case .up: recall(place - 1)
        case .down: recall(place + 1)
        }
    }

    private mutating func insert(_ character: Character) -> Outcome {
        guard characters.count < Self.lengthLimit else { return .nothing }
        characters.insert(character, at: cursor)
        cursor += 1
        return cursor == characters.count ? .appended(character) : .changed
    }

    private mutating func remove(_ range: Range<Int>) -> Outcome {
        guard !range.isEmpty else { return .nothing }
        characters.removeSubrange(range)
        cursor = range.lowerBound
        return .changed
    }

    private mutating func move(to place: Int) -> Outcome {
        let place = min(max(0, place), characters.count)
        defer { cursor = place }
        return place == cursor ? .nothing : .changed
    }

    /// Index at which the word before the cursor begins.
    private var wordStart: Int {
        let blanks = characters[..<cursor].reversed().prefix { $0 == " " }.count
        return cursor - blanks - characters[..<(cursor - blanks)].reversed().prefix { $0 != " " }.count
    }

    private mutating func recall(_ other: Int) -> Outcome {
        guard (0...history.count).contains(other), other != place else { return .nothing }
        if place == history.count { draft = characters }
        place = other
        characters = other == history.count ? draft : Array(history[other])
        cursor = characters.count
        return .changed
    }

    private mutating func complete() -> Outcome {
        guard cursor == characters.count, !characters.contains(" ") else { return .nothing }
        let candidates = words.filter { $0.hasPrefix(text) }
        guard let first = candidates.first else { return .nothing }
        var common = first
        while !candidates.allSatisfy({ $0.hasPrefix(common) }) { common.removeLast() }
        let completed = Array(candidates.count == 1 ? first + " " : common)
        guard completed.count > characters.count else { return .candidates(candidates) }
        (characters, cursor) = (completed, completed.count)
        return .changed
    }
}
