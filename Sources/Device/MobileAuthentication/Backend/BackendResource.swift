import BackendAPI
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

extension Configuration {
    /// Path of a service that has no setting of its own: it stands where the device services do, below the root of the server.
    func path(of endpoint: Endpoint) -> String {
        let suffix = ["/devices/", "/devices"].first { deviceResourcePath.hasSuffix($0) } ?? ""
        return deviceResourcePath.dropLast(suffix.count) + endpoint.clientPath
    }
}
