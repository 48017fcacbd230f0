import Synchronization
package import WebAuthn

/// List of models by which registrations of passkeys are judged; a running server takes up the next one.
package final class PasskeyModels: Sendable {
    private let list = Mutex<PasskeyMetadata?>(nil)

    package init() {}

    package var current: PasskeyMetadata? { list.withLock { $0 } }

    package func replace(with next: PasskeyMetadata?) { list.withLock { $0 = next } }
}
