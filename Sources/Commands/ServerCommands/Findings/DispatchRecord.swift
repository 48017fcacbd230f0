import BackendAPI
import CommandSupport
import Logging
import ServerCore
import StrictYAML
import Synchronization

/// Failures of the last messages of each dispatcher that pushes.
final class DispatchRecord: Sendable {
    private let failures = Mutex<[String: (cause: DispatchFailure, at: Timestamp)]>([:])
    private let clock: any WallClock

    init(clock: any WallClock = SystemWallClock()) { self.clock = clock }

    /// One dispatcher for each of the settings, whose messages are noted.
    ///
    /// Throws as ``ConfiguredDispatchers/open(_:files:logger:)``.
    func open(
        _ settings: [DispatcherSettings], files: any FileReading = PosixFiles(), logger: Logger
    ) throws(CommandFailure) -> Dispatchers {
        Dispatchers(
            watching(try ConfiguredDispatchers.open(settings, files: files, logger: logger).all), from: settings)
    }

    func watching(_ dispatchers: [any Dispatcher]) -> [any Dispatcher] {
        dispatchers.map { $0.requiresTarget ? WatchedDispatcher(dispatcher: $0, record: self) : $0 }
    }

    var source: FindingSource {
        FindingSource(.push) {
            self.failures.withLock { $0 }.sorted { $0.key < $1.key }.map { name, last in
                .warning(.push, "the last message by \(name), at \(last.at.iso8601), was \(last.cause.words)")
            }
        }
    }

    /// Notes the end of a delivery: a phone that is unknown to the service is no trouble of the way to it.
    fileprivate func note(_ delivery: DispatchDelivery, by dispatcher: any Dispatcher) {
        let (name, now) = (dispatcher.name.rawValue, clock.now())
        failures.withLock { failures in
            switch delivery {
            case .delivered, .failed(.unregistered): failures[name] = nil
            case .failed(let cause): failures[name] = (cause, now)
            }
        }
    }
}

private struct WatchedDispatcher: Dispatcher {
    let dispatcher: any Dispatcher
    let record: DispatchRecord

    var name: DispatcherName { dispatcher.name }
    var requiresTarget: Bool { dispatcher.requiresTarget }
    var requiresEncryption: Bool { dispatcher.requiresEncryption }

    func dispatch(_ parcel: DispatchPayload) async -> DispatchDelivery {
        let delivery = await dispatcher.dispatch(parcel)
        record.note(delivery, by: dispatcher)
        return delivery
    }

    func announce(
        _ notification: DispatchPayload.Notification, to destination: PushDestination
    ) async -> DispatchDelivery {
        let delivery = await dispatcher.announce(notification, to: destination)
        record.note(delivery, by: dispatcher)
        return delivery
    }
}

extension DispatchFailure {
    var words: String {
        switch self {
        case .unavailable: "not taken: the push service does not answer"
        case .refused: "refused by the push service, or by the rules for messages"
        case .unregistered: "not delivered: the push service does not know the phone any more"
        }
    }
}
