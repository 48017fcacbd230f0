extension FuzzedParser {
    /// Every parser that reads what a stranger sent.
    package static let all: [FuzzedParser] =
        encodings + assertions + messages + transport + outOfBand + device + tokens + storage + chipRecords

    /// The parser of a name.
    package static func named(_ name: String) -> FuzzedParser? {
        all.first { $0.name.utf8.elementsEqual(name.utf8) }
    }
}
