/// Rough name of a browser, for people; `User-Agent` is a stranger's text, of which only known words are taken.
struct BrowserName: Sendable, Hashable {
    /// Such as `Firefox, Linux`; nil when nothing of it is known.
    let text: String?

    private static let browsers = [
        ("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("CriOS/", "Chrome"),
        ("FxiOS/", "Firefox"), ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
        ("Mac OS X", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux"),
    ]

    /// Reads the field; at most 512 octets of it.
    init(userAgent: String?) {
        let field = String(decoding: (userAgent ?? "").utf8.prefix(512), as: UTF8.self)
        let known = [Self.browsers, Self.systems].compactMap { words in
            words.first { field.contains($0.0) }?.1
        }
        text = known.isEmpty ? nil : known.joined(separator: ", ")
    }
}
