/// Record of this installation that its servers hold, for all accounts together.
///
/// It is created by the first registration and removed with the last authenticator.
public struct DeviceInformation: Codable, Hashable, Sendable {
    /// Links the record of a server to a user.
    public struct IdUsernamePair: Codable, Hashable, Sendable {
        /// The identifier that the server gave to its record.
        public let identifier: String
        /// The name by which the server knows the user.
        public let username: Username

        /// Pairs an identifier with a name.
        public init(identifier: String, username: Username) {
            self.identifier = identifier
            self.username = username
        }
    }

    /// The name that the user gave to the device.
    public let name: String
    /// The token for push messages, if the application has one.
    public let fcmRegistrationToken: String?
    /// The identifier of this installation, made by the SDK; nil until the first registration.
    public let deviceId: String?
    /// The records that servers hold for this device.
    public let idUsernamePairs: [IdUsernamePair]

    /// Creates the information for the first registration of a device.
    public init(name: String, fcmRegistrationToken: String? = nil) {
        self.init(name: name, fcmRegistrationToken: fcmRegistrationToken, deviceId: nil, idUsernamePairs: [])
    }

    package init(
        name: String, fcmRegistrationToken: String?, deviceId: String?, idUsernamePairs: [IdUsernamePair]
    ) {
        self.name = name
        self.fcmRegistrationToken = fcmRegistrationToken
        self.deviceId = deviceId
        self.idUsernamePairs = idUsernamePairs
    }
}

extension DeviceInformation: CustomStringConvertible, CustomReflectable {
    /// The name of the device and the number of records, without the token for push messages.
    public var description: String { "DeviceInformation(\(name), \(idUsernamePairs.count) records)" }

    /// Members known to servers, without the token for push messages.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["name": name, "deviceId": deviceId as Any, "idUsernamePairs": idUsernamePairs],
            displayStyle: .struct)
    }
}

/// Links the record of a server to a user.
public typealias IdUsernamePair = DeviceInformation.IdUsernamePair
