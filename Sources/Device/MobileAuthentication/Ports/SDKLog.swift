/// Takes the messages of the SDK.
///
/// Messages and fields hold no PIN, password, token, key, cookie, user name or payload; values that could identify
/// a person come as ``SDKLogField/redacted(_:)`` and are never written out.
///
/// ```swift
/// struct WarningLogger: SDKLogger {
///     func log(_ level: SDKLogLevel, _ category: SDKLogCategory, _ message: String, _ fields: [SDKLogField]) {
///         guard level >= .warning else { return }
///         let details = fields.map(\.description).joined(separator: " ")
///         FileHandle.standardError.write(Data("\(category.rawValue): \(message) \(details)\n".utf8))
///     }
/// }
/// ```
public protocol SDKLogger: Sendable {
    /// Takes one message; called from any thread.
    func log(_ level: SDKLogLevel, _ category: SDKLogCategory, _ message: String, _ fields: [SDKLogField])
}

/// Severity of a message.
@nonexhaustive
public enum SDKLogLevel: Int, Comparable, Sendable {
    /// For the developers of an application.
    case debug
    /// Something worth knowing; success is quiet.
    case notice
    /// Something weakens the protection of the user.
    case warning
    /// The SDK was used wrongly, or has a mistake.
    case fault

    /// Orders by severity.
    public static func < (one: SDKLogLevel, other: SDKLogLevel) -> Bool { one.rawValue < other.rawValue }
}

extension SDKLogLevel: CustomStringConvertible {
    /// Name of the case.
    public var description: String {
        switch self {
        case .debug: "debug"
        case .notice: "notice"
        case .warning: "warning"
        case .fault: "fault"
        }
    }
}

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

/// A named value that belongs to a message.
public struct SDKLogField: Hashable, Sendable, CustomStringConvertible {
    /// Label that says what the value is.
    public let name: String
    /// The value as text; of a redacted one only that it is there.
    public let value: String

    private init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// A value that is no secret, such as a status code.
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
