package import BackendAPI
package import ServerCore
import Synchronization

/// A dispatcher that keeps what it was given, and fails on request.
package final class RecordingDispatcher: Dispatcher {
    package let name: DispatcherName
    package let requiresTarget: Bool
    package let requiresEncryption: Bool
    private let state = Mutex<(parcels: [DispatchParcel], failure: DispatchFailure?)>(([], nil))

    /// A dispatcher like that of the push service, or one like those of links.
    package init(_ name: DispatcherName, pushes: Bool) {
        self.name = name
        requiresTarget = pushes
        requiresEncryption = pushes
    }

    /// What was dispatched so far.
    package var parcels: [DispatchParcel] { state.withLock { $0.parcels } }

    /// Fails from now on, or delivers again.
    package func fail(_ failure: DispatchFailure?) {
        state.withLock { $0.failure = failure }
    }

    package func dispatch(_ parcel: DispatchParcel) async -> DispatchDelivery {
        state.withLock { state in
            state.parcels.append(parcel)
            // Like a link or a picture, which hold the payload; a push service only names its message.
            let response = requiresTarget ? "delivered" : parcel.envelope.text
            return state.failure.map(DispatchDelivery.failed) ?? .delivered(response: response)
        }
    }
}
