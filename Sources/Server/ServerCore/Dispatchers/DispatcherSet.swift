package import BackendAPI
import Synchronization
package import UAF

/// Dispatchers of the configuration, no two of the same name, with where phones redeem what they deliver.
package struct Dispatchers: Sendable {
    package let all: [any Dispatcher]
    /// Addresses at which phones redeem tokens, by the dispatcher that delivers them; this server where nothing is
    /// said.
    private var redeemAddresses: [DispatcherName: RedeemAddresses] = [:]
    /// Whether a push destination that the push service does not know any more is forgotten.
    package private(set) var removesUnregisteredClients = true

    /// `all` are made from `settings`.
    package init(_ all: [any Dispatcher] = [], from settings: [DispatcherSettings] = []) {
        self.all = all
        for dispatcher in settings {
            redeemAddresses[dispatcher.name] = dispatcher.redeemAddresses
            if case .firebaseCloudMessaging(let firebase) = dispatcher.channel {
                removesUnregisteredClients = firebase.removesUnregisteredClients
            }
        }
    }

    package subscript(name: DispatcherName) -> (any Dispatcher)? { all.first { $0.name == name } }

    /// Dispatchers that push.
    package var pushing: [any Dispatcher] { all.filter(\.requiresTarget) }

    /// Address at which the tokens of a dispatcher are redeemed, where `origin` is this server's.
    package func redeemURL(_ operation: OperationKind, by dispatcher: DispatcherName, origin: String) -> String {
        (redeemAddresses[dispatcher] ?? RedeemAddresses()).address(for: operation, origin: origin)
    }
}

/// Dispatchers that deliver now; a running server takes up others.
package final class DispatcherSet: Sendable {
    private let dispatchers: Mutex<Dispatchers>

    package init(_ dispatchers: Dispatchers) {
        self.dispatchers = Mutex(dispatchers)
    }

    package var current: Dispatchers { dispatchers.withLock { $0 } }

    /// Replaces all dispatchers; what is on its way by an earlier one still arrives.
    package func replace(with dispatchers: Dispatchers) { self.dispatchers.withLock { $0 = dispatchers } }
}
