/// A named value that belongs to a message.
public struct SDKLogField: Hashable, Sendable, CustomStringConvertible {
    /// What the value is.
    public let name: String
    /// The value as text; of a redacted one only that it is there.
    public let value: String

    private init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// A value that may be read by anybody, such as a status code.
    public static func open(_ name: String, _ value: some CustomStringConvertible) -> SDKLogField {
        SDKLogField(name: name, value: value.description)
    }

    /// Says that there is a value, but not which.
    public static func redacted(_ name: String) -> SDKLogField {
        SDKLogField(name: name, value: "<redacted>")
    }

    /// Name and value with an equals sign between them.
    public var description: String { "\(name)=\(value)" }
}
