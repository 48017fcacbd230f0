package import BackendAPI
package import ServerCore

/// The dispatcher `link`: its response is the URL that opens the application with the payload.
package struct LinkDispatcher: Dispatcher {
    private let address: LinkAddress
    package let requiresEncryption: Bool

    package init(address: LinkAddress, requiresEncryption: Bool = false) {
        self.address = address
        self.requiresEncryption = requiresEncryption
    }

    package var name: DispatcherName { .link }
    package var requiresTarget: Bool { false }

    package func dispatch(_ parcel: DispatchPayload) async -> DispatchDelivery {
        .delivered(response: address.link(carrying: parcel.envelope.text))
    }
}
