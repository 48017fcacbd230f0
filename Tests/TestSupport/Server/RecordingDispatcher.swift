package import BackendAPI
package import ServerCore
import Synchronization

/// Dispatcher that records its parcels, and fails on request.
package final class RecordingDispatcher: Dispatcher {
    package let name: DispatcherName
    package let requiresTarget: Bool
    package let requiresEncryption: Bool
    private let state = Mutex<(parcels: [DispatchParcel], failure: DispatchFailure?)>(([], nil))

    /// Dispatcher that pushes like the push service, or makes links.
    package init(_ name: DispatcherName, pushes: Bool) {
        self.name = name
        requiresTarget = pushes
        requiresEncryption = pushes
    }

    /// Parcels dispatched so far.
    package var parcels: [DispatchParcel] { state.withLock { $0.parcels } }

    /// Fails from now on, or delivers again for nil.
    package func fail(_ failure: DispatchFailure?) {
        state.withLock { $0.failure = failure }
    }

    package func dispatch(_ parcel: DispatchParcel) async -> DispatchDelivery {
        state.withLock { state in
            state.parcels.append(parcel)
            // A link or a picture contains the payload; a push service returns only the name of its message.
            let response = requiresTarget ? "delivered" : parcel.envelope.text
            return state.failure.map(DispatchDelivery.failed) ?? .delivered(response: response)
        }
    }
}
