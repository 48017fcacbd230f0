package import BackendAPI

/// Brings out-of-band payloads to phones over one channel (`backend-http-api` 2.4).
package protocol Dispatcher: Sendable {
    /// The name that dispatches and the configuration call it by.
    var name: DispatcherName { get }

    /// Whether it needs a dispatch target with a push destination.
    var requiresTarget: Bool { get }

    /// Whether it takes sealed payloads only, because somebody in between could read them.
    var requiresEncryption: Bool { get }

    /// Delivers one parcel, with as many tries as the channel deserves.
    ///
    /// It returns within a bounded time and never throws: what went wrong is in the result. It logs neither the
    /// content nor the destination.
    func dispatch(_ parcel: DispatchParcel) async -> DispatchDelivery
}
