extension FuzzedParser {
    /// All parsers of untrusted input.
    package static let all: [FuzzedParser] =
        encodings + assertions + messages + transport + outOfBand + device + tokens + storage + chipRecords
        + attestations + passkeys + imports + configurations

    /// The parser with a name.
    package static func named(_ name: String) -> FuzzedParser? {
        all.first { $0.name.utf8.elementsEqual(name.utf8) }
    }
}
