extension HeaderFields {
    /// The fields of a response in which the URL loading system has joined those of one name with commas.
    ///
    /// `Set-Cookie` is the one field that must not be joined (RFC 9110, section 5.3) and is joined all the same; here it
    /// becomes several again.
    init(joined fields: [(name: String, value: String)]) {
        self.init(
            fields.sorted { $0.name < $1.name }.flatMap { field in
                guard field.name.lowercased() == "set-cookie" else { return [Field(field.name, field.value)] }
                return Self.cookies(in: field.value).map { Field(field.name, $0) }
            })
    }

    /// The `Set-Cookie` values that were joined.
    ///
    /// A comma separates two when the next pair of a name and `=` begins behind it: the comma of a date is followed by a
    /// day, and by `;` or the end before any `=`.
    static func cookies(in joined: String) -> [String] {
        var cookies: [Substring] = []
        var rest = joined[...]
        var end = rest.startIndex
        while let comma = rest[end...].firstIndex(of: ",") {
            let next = rest[rest.index(after: comma)...]
            if beginsCookie(next) {
                cookies.append(rest[..<comma])
                rest = next
            }
            end = next.startIndex
        }
        cookies.append(rest)
        return cookies.map { $0.trimming() }.filter { !$0.isEmpty }
    }

    private static func beginsCookie(_ text: Substring) -> Bool {
        let name = text.drop { $0 == " " || $0 == "\t" }.prefix { !"=;, \t".contains($0) }
        return !name.isEmpty && text[name.endIndex...].first == "="
    }
}

extension Substring {
    /// Without blanks at both ends.
    fileprivate func trimming() -> String {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
