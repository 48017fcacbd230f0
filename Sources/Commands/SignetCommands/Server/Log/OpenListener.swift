import ServerCore
import ServerHTTP
import ServiceLifecycle

/// A listener of the running server; when it cannot be opened the error has the address.
struct OpenListener<Listener: Service>: Service {
    let address: ListenerAddress
    let application: Listener

    func run() async throws {
        do {
            try await application.run()
        } catch {
            throw ServerHTTPError(opening: address, error) ?? error
        }
    }
}
