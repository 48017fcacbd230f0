/// Look and words of the pages that an operator has chosen (`pages.theme`).
package struct PageTheme: Sendable, Hashable {
    /// Scheme of colours, by the setting of the reader's system.
    package enum Scheme: String, Sendable, Hashable, CaseIterable {
        case light, dark
    }

    /// Picture beside the name of the service.
    package struct Logo: Sendable, Hashable {
        package static let byteLimit = 32_768

        package let octets: [UInt8]
        /// Media type: `image/png` or `image/svg+xml`.
        package let type: String

        /// Takes a PNG or an SVG of at most ``byteLimit``; nil for anything else.
        package init?(_ octets: [UInt8]) {
            guard octets.count <= Self.byteLimit else { return nil }
            if octets.starts(with: [0x89] + "PNG\r\n\u{1A}\n".utf8) {
                type = "image/png"
            } else if let text = String(validating: octets, as: UTF8.self), text.contains("<svg") {
                type = "image/svg+xml"
            } else {
                return nil
            }
            self.octets = octets
        }
    }

    package var logo: Logo?
    /// Colours that differ from the standard ones.
    package var colours: [Scheme: [PageColour.Part: PageColour]] = [:]
    /// Texts that differ from the standard ones, by the language and by their names in the templates.
    package var texts: [String: [String: String]] = [:]

    package init() {}

    /// Colour of a part of the pages.
    package func colour(_ part: PageColour.Part, in scheme: Scheme) -> PageColour {
        colours[scheme]?[part] ?? part.standard(in: scheme)
    }

    /// Style that gives the pages the colours; empty without any.
    package var style: String {
        let conditions: KeyValuePairs<Scheme, String> = [.light: "not all and", .dark: "all and"]
        return conditions.map { scheme, condition in
            let values = (colours[scheme] ?? [:]).sorted { $0.key.rawValue < $1.key.rawValue }
            guard !values.isEmpty else { return "" }
            let rules = values.map { "--\($0.key.rawValue): \($0.value.text);" }.joined(separator: " ")
            return "@media \(condition) (prefers-color-scheme: dark) { :root { \(rules) } }\n"
        }.joined()
    }
}
