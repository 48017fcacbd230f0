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
    /// The identifier of this installation for the server of its first registration, made by the SDK; nil until then.
    ///
    /// Every other server has another one, from which none can be told that they are one device.
    public let deviceId: String?
    /// The records that servers hold for this device.
    public let idUsernamePairs: [IdUsernamePair]
    /// Name and push token that servers were given last, if some have refused them.
    package let wanted: AtServer.Taken?
    /// Knowledge of single servers, by the identity of their address; nil for nothing.
    package let atServers: [String: AtServer]?

    /// Creates the information for the first registration of a device.
    public init(name: String, fcmRegistrationToken: String? = nil) {
        self.init(name: name, fcmRegistrationToken: fcmRegistrationToken, deviceId: nil, idUsernamePairs: [])
    }

    package init(
        name: String, fcmRegistrationToken: String?, deviceId: String?, idUsernamePairs: [IdUsernamePair],
        wanted: AtServer.Taken? = nil, atServers: [String: AtServer]? = nil
    ) {
        self.wanted = wanted
        self.atServers = atServers
        self.name = name
        self.fcmRegistrationToken = fcmRegistrationToken
        self.deviceId = deviceId
        self.idUsernamePairs = idUsernamePairs
    }
}

extension DeviceInformation {
    /// Knowledge of one server about this installation.
    package struct AtServer: Codable, Hashable, Sendable {
        /// Name and push token, as they were given to servers.
        package struct Taken: Codable, Hashable, Sendable {
            let name: String
            let fcmRegistrationToken: String?
        }

        /// The identifier of this installation for the server; nil for one that knows ``DeviceInformation/deviceId``.
        let deviceId: String?
        /// Description that the server has kept while it refused a later change.
        let taken: Taken?
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
