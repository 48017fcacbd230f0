import Foundation
import UAFClient

/// One resource of a server: the base address and the configured path.
struct BackendResource: Hashable, Sendable {
    let server: ServerAddress
    let path: String

    /// The address of the resource; nothing but `https:` is handed out.
    func url() throws(InsecureAddressError) -> URL {
        guard server.isSecure, let url = server.appending(path: path), url.host() == server.url.host() else {
            throw InsecureAddressError()
        }
        return url
    }
}
