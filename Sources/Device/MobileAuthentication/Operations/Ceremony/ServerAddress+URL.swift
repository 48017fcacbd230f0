import Foundation
package import UAFClient

extension ServerAddress {
    package init(_ url: URL) {
        let url = url.absoluteURL
        self.init(
            text: url.absoluteString, scheme: url.scheme, host: url.host(), port: url.port,
            path: url.path(percentEncoded: true))
    }

    package var url: URL { URL(string: text) ?? URL(filePath: text) }

    /// The address of a resource, with exactly one slash between the two parts.
    func appending(path: String) -> URL? {
        var base = text
        while base.hasSuffix("/") { base.removeLast() }
        return URL(string: path.hasPrefix("/") ? base + path : base + "/" + path)
    }
}
