import ServerPersistence

/// Values of one column of many rows, as one argument that is an array on the server (`$1::bytea[]`).
struct PostgreSQLArray {
    /// Type of the elements, by its number in the catalogue of PostgreSQL.
    enum Element: Int32 {
        case bytes = 17
        case integer = 20
        case text = 25
    }

    /// The array in its binary form.
    let argument: SQLValue

    /// Takes one column; a value of another type than `element` counts as null.
    init(_ values: [SQLValue], of element: Element) {
        var octets: [UInt8] = []
        // Dimensions, whether there may be nulls, type, length, index of the first element.
        for number in [1, 1, element.rawValue, Int32(clamping: values.count), 1] { octets += Self.fixed(number) }
        for value in values {
            guard let bytes = Self.octets(of: value, as: element) else {
                octets += Self.fixed(Int32(-1))
                continue
            }
            octets += Self.fixed(Int32(clamping: bytes.count))
            octets += bytes
        }
        argument = .blob(octets)
    }

    private static func octets(of value: SQLValue, as element: Element) -> [UInt8]? {
        switch (value, element) {
        case (.blob(let bytes), .bytes): bytes
        case (.text(let text), .text): Array(text.utf8)
        case (.integer(let number), .integer): fixed(number)
        default: nil
        }
    }

    private static func fixed<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
