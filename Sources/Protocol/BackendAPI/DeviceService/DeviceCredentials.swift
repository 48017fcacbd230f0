public import UAF

/// What the server knows of a device; travels as the plaintext of a JWE to the device (`backend-http-api` 4.3).
public struct DeviceCredentials: MessageBody {
    /// A dispatch target as the server has it.
    public struct Target: Hashable, Sendable {
        /// The identifier that names the target in requests.
        public let id: String
        /// The name that a person reads.
        public let name: DeviceName
        /// The way that the target prefers; nil for none.
        public let dispatcher: DispatcherName?
        /// Where push messages go; nil for nowhere.
        public let destination: PushDestination?

        /// A target as the server has it.
        public init(id: String, name: DeviceName, dispatcher: DispatcherName?, destination: PushDestination?) {
            self.id = id
            self.name = name
            self.dispatcher = dispatcher
            self.destination = destination
        }
    }

    /// A credential as the server has it.
    public struct Credential: Hashable, Sendable {
        /// Whether a credential can be used.
        public enum State: String, Hashable, Sendable {
            /// It can.
            case active
            /// An administrator locked it.
            case locked
        }

        /// The model and the key.
        public let id: CredentialID
        /// Whether it can be used.
        public let state: State

        /// A credential as the server has it.
        public init(_ id: CredentialID, state: State) {
            self.id = id
            self.state = state
        }
    }

    /// One account on the device.
    public struct Account: Hashable, Sendable {
        /// The user.
        public let username: UserName
        /// The user's target on this device; nil when only credentials are left.
        public let target: Target?
        /// The user's credentials on this device.
        public let credentials: [Credential]
        /// The user's credentials that belong to no device, as far as the server knows: some may be on this one, so that
        /// none of them is missing, and none is surplus.
        public let unassigned: [CredentialID]

        /// An account on the device.
        public init(
            username: UserName, target: Target?, credentials: [Credential], unassigned: [CredentialID] = []
        ) {
            self.username = username
            self.target = target
            self.credentials = credentials
            self.unassigned = unassigned
        }
    }

    /// The request that is answered.
    public let requestID: String
    /// The device.
    public let deviceID: DeviceID
    /// The accounts on the device.
    public let accounts: [Account]

    /// What is known of a device.
    public init(requestID: String, deviceID: DeviceID, accounts: [Account]) {
        self.requestID = requestID
        self.deviceID = deviceID
        self.accounts = accounts
    }
}
