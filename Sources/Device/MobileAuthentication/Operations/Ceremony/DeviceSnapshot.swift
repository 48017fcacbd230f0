package import UAF

/// What this device holds when an operation looks at it.
package struct DeviceSnapshot: Hashable, Sendable {
    /// An authenticator of the device, whether it can be used or not.
    package struct Offer: Hashable, Sendable {
        /// Which model.
        package let aaid: AAID
        /// What a policy judges it by.
        package let characteristics: AuthenticatorCharacteristics
        /// What stands for and against its use.
        package let support: Support

        package init(aaid: AAID, characteristics: AuthenticatorCharacteristics, support: Support) {
            self.aaid = aaid
            self.characteristics = characteristics
            self.support = support
        }
    }

    /// What stands for and against the use of an authenticator.
    package struct Support: Hashable, Sendable {
        /// Whether the device has the hardware for it.
        package let isSupportedByHardware: Bool
        /// Whether the version of the operating system supports it.
        package let isSupportedByOs: Bool
        /// Whether a finger, a face or a passcode is set up; without meaning for secrets that the SDK checks.
        package let isEnrolled: Bool

        /// Whether it can be chosen.
        package let isUsable: Bool
        /// Whether it can be chosen by an application that accepts weaker sensors (Android profile).
        package let isUsableWithClass2Sensor: Bool

        package init(
            isSupportedByHardware: Bool, isSupportedByOs: Bool, isEnrolled: Bool, isUsable: Bool,
            isUsableWithClass2Sensor: Bool
        ) {
            self.isSupportedByHardware = isSupportedByHardware
            self.isSupportedByOs = isSupportedByOs
            self.isEnrolled = isEnrolled
            self.isUsable = isUsable
            self.isUsableWithClass2Sensor = isUsableWithClass2Sensor
        }

        /// All that is needed is there.
        package static let complete = Support(
            isSupportedByHardware: true, isSupportedByOs: true, isEnrolled: true, isUsable: true,
            isUsableWithClass2Sensor: true)
    }

    /// All authenticators of the device, in the order in which they are shown.
    package let offers: [Offer]
    /// What servers know about the device.
    package let deviceInformation: DeviceInformation?
    /// The keys of the device itself, one pair for each server.
    package let deviceKeys: [DeviceServerKeys]
    /// The accounts that were deleted here, and whose servers have not been told.
    let departed: [Departure]
    /// All keys of users; operations reach them by the scope of a server only.
    private let keyring: ServerScope.Keyring

    /// Takes what the device holds; `credentials` are all keys, also pending ones, in the order in which they were made.
    package init(
        offers: [Offer], credentials: [LocalCredential], deviceInformation: DeviceInformation?,
        deviceKeys: [DeviceServerKeys] = [], departed: [Departure] = []
    ) {
        self.departed = departed
        self.deviceKeys = deviceKeys
        self.offers = offers
        self.deviceInformation = deviceInformation
        keyring = ServerScope.Keyring(credentials)
    }

    /// What a server may reach.
    package func scope(at server: ServerAddress) -> ServerScope { keyring.scope(at: server) }

    /// The scope of the server where a user has keys; nil for a user without any.
    package func home(of username: UserName) -> ServerScope? {
        keyring.home(of: username).map { keyring.scope(at: $0) }
    }

    /// The scopes of all servers, for what the owner of the device asks for themselves.
    var scopes: [ServerScope] { keyring.servers.map { keyring.scope(at: $0) } }

    /// The registered keys of all servers, as the application may know them.
    var registrations: [ServerScope.Registration] { keyring.registrations }
}
