/// The part of the SDK that a message comes from.
@nonexhaustive
public enum SDKLogCategory: String, Sendable {
    /// Making the client.
    case client
    /// Operations.
    case operation
    /// Exchanges with a server.
    case network
    /// Keys and records of the device.
    case storage
}
