/// Where the parts of a file lie whose base has one block.
struct FileLayout {
    /// The fields of the wrap section.
    let wrap: Range<Int>
    /// The root behind its length.
    let root: Range<Int>
    /// The code of the base.
    let code: Range<Int>
    let block: Range<Int>
    let values: Range<Int>
    /// The copy of everything before the values.
    let spare: Range<Int>

    /// Reads the sizes of a sound file.
    init(_ file: [UInt8]) {
        wrap = 128..<128 + Self.number(file, 124)
        let start = wrap.upperBound + 4
        root = start..<start + Self.number(file, wrap.upperBound)
        code = root.upperBound..<root.upperBound + 32
        block = code.upperBound..<wrap.upperBound + Self.number(file, 116) + 32
        values = block.upperBound..<block.upperBound + Self.number(file, 120)
        spare = values.upperBound..<values.upperBound + block.upperBound
    }

    /// Where the records of the log start, and where the last one ends with its receipt.
    func records(of file: [UInt8]) -> [Range<Int>] {
        var records: [Range<Int>] = []
        var start = spare.upperBound
        while start + 4 <= file.count {
            let end = start + Self.number(file, start) + 24
            records.append(start..<end)
            start = end
        }
        return records
    }

    /// The file with the same change of both copies of what stands before the values.
    static func twice(_ file: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        let layout = FileLayout(file)
        var head = Array(file[..<layout.block.upperBound])
        change(&head)
        return head + file[layout.values] + head + file[layout.spare.upperBound...]
    }

    private static func number(_ file: [UInt8], _ offset: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(file[offset + $1]) << (8 * $1) }
    }
}
