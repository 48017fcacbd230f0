import ServerCore
package import UAFService

/// Server with what web sites need beside the services: settings, and transactions with the rows of the provider.
package struct OpenIDServer: Sendable {
    package let services: ServerServices
    package let transactions: any OpenIDTransactionRunner
    package let settings: OpenIDSettings
    /// Models by which registrations of passkeys are judged.
    package var passkeyModels = PasskeyModels()

    package init(
        _ services: ServerServices, transactions: any OpenIDTransactionRunner, settings: OpenIDSettings
    ) {
        self.services = services
        self.transactions = transactions
        self.settings = settings
    }
}
