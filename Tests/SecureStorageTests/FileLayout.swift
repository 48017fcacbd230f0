/// Where the parts of a file lie whose base has one block.
struct FileLayout {
    /// The fields of the wrap section.
    let wrap: Range<Int>
    /// The root behind its length.
    let root: Range<Int>
    let block: Range<Int>
    let values: Range<Int>
    /// The code of the base.
    let code: Range<Int>

    /// Reads the sizes of a sound file.
    init(_ file: [UInt8]) {
        wrap = 128..<128 + Self.number(file, 124)
        let index = wrap.upperBound..<wrap.upperBound + Self.number(file, 116)
        let start = index.lowerBound + 4
        root = start..<start + Self.number(file, index.lowerBound)
        block = root.upperBound..<index.upperBound
        values = index.upperBound..<index.upperBound + Self.number(file, 120)
        code = values.upperBound..<values.upperBound + 32
    }

    /// Where the records of the log start, and where the last one ends with its receipt.
    func records(of file: [UInt8]) -> [Range<Int>] {
        var records: [Range<Int>] = []
        var start = code.upperBound
        while start + 4 <= file.count {
            let end = start + Self.number(file, start) + 24
            records.append(start..<end)
            start = end
        }
        return records
    }

    private static func number(_ file: [UInt8], _ offset: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(file[offset + $1]) << (8 * $1) }
    }
}
