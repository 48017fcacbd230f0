import Foundation

/// Lines of a text, found by the words that stand on them.
///
/// A regular expression costs a thousand times what the C library takes to find a word. So a rule names words of which
/// each line that it refuses has one, and its expression sees those lines only.
struct CodeLines {
    /// A line with its number, from 1.
    typealias Line = (number: Int, text: Substring)

    private let text: String
    /// Offsets in UTF-8 at which lines begin, and one behind the end of the last line and its line break.
    private let starts: [Int]

    /// Finds the lines of a text.
    init(_ text: String) {
        var text = text
        text.makeContiguousUTF8()
        self.text = text
        starts = Self.starts(in: text)
    }

    /// Number of lines; a text that ends with a line break has an empty one behind it.
    var count: Int { starts.count - 1 }

    /// Every line.
    var all: [Line] { (1...count).map(line) }

    /// The lines on which one of some words stands, in their order.
    func lines(naming words: some Sequence<String>) -> [Line] {
        numbers(naming: words).sorted().map(line)
    }

    /// Whether one of some words stands in the text.
    func has(_ words: String...) -> Bool { Self.has(words, in: text) }

    /// Whether one of some words stands in a text.
    static func has(_ words: [String], in text: String) -> Bool {
        text.withCString { start in words.contains { strstr(start, $0) != nil } }
    }

    private func line(_ number: Int) -> Line {
        let (start, end) = (starts[number - 1], starts[number] - 1)
        return (number, text[index(start)..<index(end)])
    }

    private func index(_ offset: Int) -> String.Index { text.utf8.index(text.utf8.startIndex, offsetBy: offset) }

    private func numbers(naming words: some Sequence<String>) -> Set<Int> {
        var found: Set<Int> = []
        text.withCString { start in
            for word in words {
                var rest = start
                while let hit = strstr(rest, word) {
                    let number = number(at: UnsafePointer(hit) - start)
                    found.insert(number)
                    rest = start + min(starts[number], text.utf8.count)
                }
            }
        }
        return found
    }

    /// The number of the line at an offset.
    private func number(at offset: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle + 1] <= offset { low = middle + 1 } else { high = middle }
        }
        return low + 1
    }

    private static func starts(in text: String) -> [Int] {
        text.withCString { start in
            var starts = [0]
            var rest = start
            while let end = strchr(rest, 0x0A) {
                rest = UnsafePointer(end) + 1
                starts.append(rest - start)
            }
            return starts + [text.utf8.count + 1]
        }
    }
}
