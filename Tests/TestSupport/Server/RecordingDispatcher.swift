package import BackendAPI
package import ServerCore
import Synchronization

/// Dispatcher that records its parcels, and fails on request.
package final class RecordingDispatcher: Dispatcher {
    package let name: DispatcherName
    package let requiresTarget: Bool
    package let requiresEncryption: Bool
    private let state = Mutex<(parcels: [DispatchPayload], failure: DispatchFailure?)>(([], nil))
    private let announced = Mutex<[(DispatchPayload.Notification, PushDestination)]>([])

    /// Dispatcher that pushes like the push service, or makes links.
    package init(_ name: DispatcherName, pushes: Bool) {
        self.name = name
        requiresTarget = pushes
        requiresEncryption = pushes
    }

    /// Parcels dispatched so far.
    package var parcels: [DispatchPayload] { state.withLock { $0.parcels } }

    /// Announcements so far, with their destinations.
    package var announcements: [(notification: DispatchPayload.Notification, destination: PushDestination)] {
        announced.withLock { $0.map { (notification: $0.0, destination: $0.1) } }
    }

    package func announce(
        _ notification: DispatchPayload.Notification, to destination: PushDestination
    ) async -> DispatchDelivery {
        guard requiresTarget else { return .failed(.refused) }
        announced.withLock { $0.append((notification, destination)) }
        return .delivered(response: "announced")
    }

    /// Fails from now on, or delivers again for nil.
    package func fail(_ failure: DispatchFailure?) {
        state.withLock { $0.failure = failure }
    }

    package func dispatch(_ parcel: DispatchPayload) async -> DispatchDelivery {
        state.withLock { state in
            state.parcels.append(parcel)
            // A link or a picture contains the payload; a push service returns only the name of its message.
            let response = requiresTarget ? "delivered" : parcel.envelope.text
            return state.failure.map(DispatchDelivery.failed) ?? .delivered(response: response)
        }
    }
}
