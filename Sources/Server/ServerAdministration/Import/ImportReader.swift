package import StrictJSON

/// Entry of a file: a line, a row or an object of one document.
package struct ImportEntry: Sendable {
    package enum Content: Sendable {
        /// One object as it stands in the file.
        case json([UInt8])
        /// Objects that were made of the entry.
        case objects([JSONObject])
        case fault(String)
    }

    /// Number of the first line in the file, from 1; of an object in one document its place.
    package let number: Int
    package let content: Content

    package init(_ number: Int, _ content: Content) { (self.number, self.content) = (number, content) }
}

/// Reader of the entries of one file, from its beginning.
package protocol ImportReader: AnyObject {
    /// The next entry; nil at the end of the file.
    func next() throws(ImportFault) -> ImportEntry?
}

/// Line of a file, without its end; nil for one that is longer than 64 KiB.
package typealias ImportLine = [UInt8]?

/// Lines of a file, in order; nil behind the last.
package protocol ImportLines: AnyObject {
    func next() throws(ImportFault) -> ImportLine?
}

/// JSON Lines: an object on each line; empty lines are left out.
package final class JSONLinesReader: ImportReader {
    static let tooLong = "is longer than 64 KiB"

    private let lines: any ImportLines
    private var number = 0

    package init(_ lines: any ImportLines) { self.lines = lines }

    package func next() throws(ImportFault) -> ImportEntry? {
        while let line = try lines.next() {
            number += 1
            guard let line else { return ImportEntry(number, .fault(Self.tooLong)) }
            if !line.allSatisfy({ [0x20, 0x09].contains($0) }) { return ImportEntry(number, .json(line)) }
        }
        return nil
    }
}
