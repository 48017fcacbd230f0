package import UAF

/// What this device holds when an operation looks at it.
package struct DeviceSnapshot: Hashable, Sendable {
    /// An authenticator that the device offers.
    package struct Offer: Hashable, Sendable {
        /// Which model.
        package let aaid: AAID
        /// What a policy judges it by.
        package let characteristics: AuthenticatorCharacteristics

        package init(aaid: AAID, characteristics: AuthenticatorCharacteristics) {
            self.aaid = aaid
            self.characteristics = characteristics
        }
    }

    /// All authenticators of the device, in the order in which they are shown.
    package let offers: [Offer]
    /// All keys, also pending ones.
    package let credentials: [LocalCredential]
    /// What servers know about the device.
    package let deviceInformation: DeviceInformation?

    package init(offers: [Offer], credentials: [LocalCredential], deviceInformation: DeviceInformation?) {
        self.offers = offers
        self.credentials = credentials
        self.deviceInformation = deviceInformation
    }

    /// The keys that the application may know of.
    var visibleCredentials: [LocalCredential] { credentials.filter { $0.state != .pending } }

    /// The visible keys of a user.
    func visibleCredentials(of username: UserName) -> [LocalCredential] {
        visibleCredentials.filter { $0.username == username }
    }
}
