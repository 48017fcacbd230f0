import ServerCore
package import UAFService

/// Server with what web sites need beside the services: settings, and transactions with the rows of the provider.
package struct OpenIDServer: Sendable {
    /// The services.
    package let services: ServerServices
    /// Transactions with the rows of the OpenID Provider.
    package let transactions: any OpenIDTransactionRunner
    /// Settings of what web sites use.
    package let settings: WebSiteSettings

    /// Takes the parts.
    package init(
        _ services: ServerServices, transactions: any OpenIDTransactionRunner, settings: WebSiteSettings
    ) {
        self.services = services
        self.transactions = transactions
        self.settings = settings
    }
}
