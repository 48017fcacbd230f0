import MobileAuthentication

// Call sites as applications have them; that this folder compiles, in Swift 5 mode and in Swift 6 mode, is the test.
// Nothing of the SDK is imported but MobileAuthentication, and no other library is.

/// An application's own word for what it does; it hides the SDK's type of that name.
enum Operation {
    case registration
    case authentication
    case deregistration
}

/// An application's own wrapper; it hides nothing but the name.
struct OperationFailure: Error {
    let operation: Operation
    let underlyingError: Error
}

/// Keeps the client the way applications do: a plain existential, optional until it is there.
protocol ClientProvider: AnyObject {
    func save(client: MobileAuthenticationClient)
    func get() -> MobileAuthenticationClient?
    func reset()
}

/// The one in use.
final class AppClientProvider: ClientProvider {
    private var client: MobileAuthenticationClient?

    func save(client: MobileAuthenticationClient) { self.client = client }

    func get() -> MobileAuthenticationClient? { client }

    func reset() { client = nil }
}
