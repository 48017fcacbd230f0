import Foundation

/// A server that is known by its base address.
struct RegisteredServer: Server {
    let baseUrl: URL
}
