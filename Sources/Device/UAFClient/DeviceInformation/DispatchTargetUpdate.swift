package import BackendAPI

/// Update of a dispatch target, the record that a server keeps of this device.
package struct DispatchTargetUpdate: Hashable, Sendable {
    package var name: DeviceName?
    package var destination: PushDestination?

    package init(name: DeviceName? = nil, destination: PushDestination? = nil) {
        self.name = name
        self.destination = destination
    }

    package var isEmpty: Bool { name == nil && destination == nil }
}
