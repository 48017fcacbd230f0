/// What a value says of itself where its content was not asked for: descriptions, `dump` and reflection.
package enum Disclosure {
    /// How deep reflection goes.
    private static let depth = 12

    /// Whether any of them shows a text, as such or as the numbers of its bytes.
    package static func shows(_ canary: String, in value: Any) -> Bool {
        let bytes = canary.utf8.map(String.init).joined(separator: ", ")
        return texts(of: value).contains { $0.contains(canary) || $0.contains(bytes) }
    }

    /// All of them.
    package static func texts(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return [
            "\(value)", String(describing: value), String(reflecting: value), "\([value])", "\(["name": value])",
            "\(Optional(value) as Any)", dumped,
        ] + leaves(of: value, 0)
    }

    /// The descriptions of everything that reflection finds inside.
    private static func leaves(of value: Any, _ level: Int) -> [String] {
        guard level < depth else { return [] }
        return Mirror(reflecting: value).children.flatMap { child in
            ["\(child.value)"] + leaves(of: child.value, level + 1)
        }
    }
}
