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
    /// All keys, also pending ones.
    package let credentials: [LocalCredential]
    /// What servers know about the device.
    package let deviceInformation: DeviceInformation?
    /// The keys of the device itself, one pair for each server.
    package let deviceKeys: [DeviceServerKeys]

    package init(
        offers: [Offer], credentials: [LocalCredential], deviceInformation: DeviceInformation?,
        deviceKeys: [DeviceServerKeys] = []
    ) {
        self.deviceKeys = deviceKeys
        self.offers = offers
        self.credentials = credentials
        self.deviceInformation = deviceInformation
    }

    /// The keys that the application may know of.
    var visibleCredentials: [LocalCredential] { credentials.filter { $0.state != .pending } }

    /// The users who have keys at a server, in the order of their keys.
    func usernames(at server: ServerAddress) -> [UserName] {
        var seen: Set<UserName> = []
        return credentials.filter { $0.server == server && seen.insert($0.username).inserted }.map(\.username)
    }

    /// The visible keys of a user.
    func visibleCredentials(of username: UserName) -> [LocalCredential] {
        visibleCredentials.filter { $0.username == username }
    }
}
